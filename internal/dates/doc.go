// Package dates reads the time expressions of texts.
//
// [Find] returns every time expression of a text, resolved against the moment it was written:
//
//	for _, e := range dates.Find("I moved to Lisbon last week.", writtenAt) {
//		fmt.Println(e.Text, e.Interval, e.Granularity) // last week [2024-03-04, 2024-03-11) week
//	}
//
// The reader is a small hand-written grammar over tokens: token.go splits the text, number.go reads
// numbers and number words, and one file per family of expressions reads dates (absolute.go,
// numeric.go, relative.go, weekday.go, period.go, holiday.go), clock times (clock.go), their
// combination (compound.go), ranges (span.go) and bounds (bound.go). Each rule looks at the tokens
// from a position and returns what it read and where it stopped; the longest reading at a position
// wins.
//
// Memories look back, so ambiguous dates ("on Friday", "May 5") are read in the past unless
// [Reader.Prefer] says otherwise. With [ByTense] the verb beside the date decides (tense.go).
// [Resolved] rewrites a sentence for readers of a later day (resolved.go).
package dates
