package dates

// Forward is what tests ask of the direction of a sentence.
func Forward(sentence string) bool {
	forward, _ := Direction(sentence)
	return forward
}

// MonthNames lets tests go through all names of months.
var MonthNames = monthNames
