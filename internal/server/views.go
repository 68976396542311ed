package server

// Views turns rows into what is shown of them.
func Views[Row, View any](rows []Row, view func(Row) View) []View {
	out := make([]View, len(rows))
	for i, row := range rows {
		out[i] = view(row)
	}
	return out
}
