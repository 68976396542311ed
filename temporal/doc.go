// Package temporal holds what Annals knows about time: half-open intervals, the rules by
// which contradicting facts share a timeline, and a reader of English time expressions.
//
// # Intervals
//
// An [Interval] is a stretch [Start, End). Facts carry two of them: when they hold in the
// world (valid) and when they were believed (recorded). A zero bound means unbounded.
//
// # Contradictions
//
// [Resolve] decides how an old and a new claim that cannot both be true share the timeline:
// the one that starts later ends the one that starts earlier, whichever arrived first.
// Nothing is deleted; ranges only ever narrow, and a claim that would be left with no time
// at all is expired instead, which keeps it in history.
//
// # Reading time expressions
//
// [Find] returns every time expression of a text, resolved against the moment it was
// written:
//
//	for _, e := range temporal.Find("I moved to Lisbon last week.", writtenAt) {
//		fmt.Println(e.Text, e.Interval, e.Granularity) // last week [2024-03-04, 2024-03-11) week
//	}
//
// The reader is a small hand-written grammar over tokens: token.go splits the text,
// number.go reads numbers and number words, and one file per family of expressions reads
// dates (absolute.go, numeric.go, relative.go, weekday.go, period.go, holiday.go), clock
// times (clock.go), their combination (compound.go), ranges (span.go) and bounds (bound.go).
// Each rule looks at the tokens from a position and returns what it read and where it
// stopped; the longest reading at a position wins. Because memories look back, what is
// ambiguous ("on Friday", "May 5") is read in the past unless [Reader.Prefer] says otherwise.
// With [ByTense] the verb beside the date decides (tense.go); [Resolved] writes a sentence for
// readers of a later day (resolved.go).
package temporal
