// Package datetime measures readers of time expressions on the English cases of Microsoft's
// Recognizers-Text (MIT). The program compare beside it scores Annals' own reader,
// go-dateparser and go-anytime side by side.
//
// # What is asked
//
// Every reader gets the whole sentence and the reference time, and returns its findings in order.
// Its first dated finding is its answer.
//
// A case is selected when it has a reference time and exactly one result of the types date,
// daterange, datetime or datetimerange (with or without the datetimeV2 prefix), and that
// result has a start instant. Results that the set itself leaves "not resolved", and ranges
// without a start ("before Friday"), have none. If the set lists several readings, the past one
// counts: the first listed, which is always on the earliest day.
//
// A finding is right if its start is the same instant and its granularity is right. The
// set's granularity follows from type and timex, see [Case.Units]. Hours, minutes and seconds
// count as one granularity, since the set writes "in 5 hours" with seconds.
//
// Sentences for which every case of the file is empty are negatives, in which nothing should be
// found. (Some sentences are empty in one mode of the recogniser and not in another.)
package datetime
