package graphiti

// Routes are those that take a key, as methods and paths.
func Routes() []string {
	var list []string
	for pattern := range (&api{}).routes() {
		list = append(list, pattern)
	}
	return list
}
