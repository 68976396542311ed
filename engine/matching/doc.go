// Package matching decides by rules whether two records speak of the same
// person, organisation or thing: what a person sees who compares two entries of
// an address book. It is the cheap step before a model is asked, so it says
// [Same] only when it is nearly certain, because a wrong merge hurts more than a
// missed one, and [Different] only when the two contradict each other. All else
// is [Unsure].
//
// # Names
//
// Names are folded (case, accents, width, harakat; fold.go), taken apart into
// words, titles and numbers (name.go), and their words are aligned: equal
// words first, then those that differ by a slip of typing, nicknames, initials
// and abbreviations (align.go, typing.go). What is left over decides
// (relation.go, people.go, things.go): numbers must agree, two given names with one surname are
// siblings, a shorter name may be the fuller one's.
//
// A shorter name alone is never enough: "Ross" may be any Ross. [Resolve] knows
// all who could be meant, and accepts it if exactly one of them can be.
//
// # Attributes
//
// Where both records have values for the same attributes, these are weighed
// together with the name: each field adds the logarithm of how much likelier
// its agreement (or disagreement) is between records of one entity than between
// two entities at random. This is the model of Fellegi and Sunter, "A Theory for
// Record Linkage" (JASA 64, 1969). The chances are not trained but fixed by the
// kind of value (identifier, date, quantity, text; attribute.go) and scaled by
// how rare the agreeing words are (rarity.go): two breweries both called "Company"
// have little in common. A [Collection] learns from its records which are rare.
//
// # Scripts
//
// Names are compared within their script. In Latin, Cyrillic, Greek, Arabic,
// Hebrew and Katakana long words may differ by a slip; a character more or less
// makes another name in Han and Hangul, so there nothing but width, spacing
// and honorifics may differ. Nothing is transliterated, nor are simplified and
// traditional characters equated: two names in different scripts are Unsure.
package matching
