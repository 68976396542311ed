// Package matching decides by rules whether two records describe the same person, organisation or
// thing, as a person would who compares two entries of an address book. It is the cheap step before
// a model is asked. It says [Same] only when nearly certain, because a wrong merge hurts more than
// a missed one. It says [Different] only when the two contradict each other. All else is [Unsure].
//
// # Names
//
// Names are folded (case, accents, width, harakat; fold.go) and split into words, titles and
// numbers (name.go). Their words are aligned: first equal words, then those that differ by a typing
// slip, nicknames, initials and abbreviations (align.go, typing.go). The unmatched words decide
// (relation.go, people.go, things.go). Numbers must agree. Two given names with one surname are
// siblings. A shorter name may stand for a fuller one.
//
// A shorter name alone is never enough: "Ross" may be any Ross. [Resolve] sees all candidates, and
// accepts a shorter name if exactly one of them fits.
//
// # Attributes
//
// If both records have values for the same attributes, these are weighed together with the name.
// Each field adds a logarithm: how much likelier its agreement (or disagreement) is between records
// of one entity than between two entities at random. This is the model of Fellegi and Sunter, "A
// Theory for Record Linkage" (JASA 64, 1969). The chances are not trained. They are fixed by the
// kind of value (identifier, date, quantity, text; attribute.go) and scaled by the rarity of the
// agreeing words (rarity.go): two breweries both called "Company" have little in common. A
// [Collection] counts in its records which words are rare.
//
// # Scripts
//
// Names are compared within their script. In Latin, Cyrillic, Greek, Arabic, Hebrew and Katakana
// long words may differ by a slip. In Han and Hangul a character more or less makes another name,
// so there only width, spacing and honorifics may differ. Nothing is transliterated, and simplified
// characters are not equated with traditional ones: two names in different scripts are Unsure.
package matching
