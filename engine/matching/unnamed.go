package matching

// Unnamed reports whether a name is only a role in a conversation, such as "user".
func Unnamed(name string) bool { return unnamed[Fold(name)] }

var unnamed = map[string]bool{
	"user": true, "customer": true, "human": true, "client": true, "visitor": true, "guest": true, "caller": true, "me": true,
}
