package matching

// Unnamed reports whether a name is none, but what somebody is called of whom only the role in
// a conversation is known.
func Unnamed(name string) bool { return unnamed[Fold(name)] }

var unnamed = map[string]bool{
	"user": true, "customer": true, "human": true, "client": true, "visitor": true, "guest": true, "caller": true, "me": true,
}
