package offline

import (
	"strconv"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// A value is a number with its unit: "71 kg", "20 euros a month", "112 members". It is normalised,
// so that the same value is the same entity. The original words become an alias.

var (
	// A number, in digits or as a word, with an optional currency sign.
	numberAhead = pattern.New(`^(?i:(?:exactly|only|just|already|now) )*([€$£] ?)?((?:\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.\d+)?|(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty|thirty|forty|fifty|sixty|hundred)\b)(?: ?(k|thousand|million|billion)\b)?(?: ?%|[ -]?([\p{L}°²]+))?`)

	// The period or unit of a rate.
	rateAhead = pattern.New(`^(?:,? ?(?:per|a|an|each|every) |/ ?)(month|year|week|day|night|hour|person|head|user|seat|piece|kilo|kg|litre|liter)s?\b`)

	// Words that make a value a comparison or a range: "20 euros more", "$10-$20".
	compares = pattern.New(`^ ?[-–] ?[€$£]?\d|^ (?:to|or) [€$£]?\d|^ (?:more|less|fewer|cheaper|off|older|younger|taller|heavier|ago|each|too|away|late|early|in (?:a row|total)|or so)\b`)

	// Normalised dates and values.
	writtenDate  = pattern.New(`^(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?$`)
	writtenValue = pattern.New(`^\d[\d.]*(?: thousand| million| billion)? ?([^\s\d].*)$`)
)

// units maps words to normalised units.
var units = func() map[string]string {
	out := map[string]string{}
	for unit, words := range map[string]string{
		"kg": "kg kgs kilo kilos kilogram kilograms", "g": "g gram grams", "lb": "lb lbs", "stone": "stone",
		"cm": "cm centimetre centimetres centimeter centimeters", "m": "m metre metres meter meters", "mm": "mm",
		"km": "km kms kilometre kilometres kilometer kilometers", "miles": "mile miles", "feet": "ft foot feet", "inches": "inch inches",
		"euros": "euro euros eur", "dollars": "dollar dollars usd bucks", "pounds": "pound pounds gbp quid", "francs": "franc francs chf",
		"yen": "yen jpy", "rupees": "rupee rupees inr", "crowns": "crown crowns kronor kroner sek nok dkk",
		"%": "percent", "GB": "gb gigabyte gigabytes", "TB": "tb terabyte terabytes", "MB": "mb megabyte megabytes",
		"litres": "l litre litres liter liters", "degrees": "degree degrees", "m²": "m² sqm", "calories": "calorie calories kcal",
	} {
		for word := range strings.FieldsSeq(words) {
			out[word] = unit
		}
	}
	return out
}()

// unitKinds groups units by kind: a value in one unit succeeds a value in another unit of the kind.
var unitKinds = map[string]map[string]bool{
	"weight": set(`kg g lb stone`),
	"length": set(`cm m mm km miles feet inches`),
	"money":  set(`euros dollars pounds francs yen rupees crowns`),
}

// signs maps currency signs to units.
var signs = map[string]string{"€": "euros", "$": "dollars", "£": "pounds"}

// numbers maps number words to digits.
var numbers = func() map[string]string {
	out := map[string]string{"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100"}
	for i, word := range strings.Fields(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen`) {
		out[word] = strconv.Itoa(i + 1)
	}
	return out
}()

// value is a number with a unit, or with a noun that is counted.
type value struct {
	text   string // normalised
	said   string // the original words
	unit   string
	counts bool // the unit is a counted noun
}

// valueAhead reads the value that a text begins with, and returns what comes after it. ok is false
// if there is none, or if nothing is measured or counted.
func valueAhead(text string) (v value, rest string, ok bool) {
	m := numberAhead().FindStringSubmatchIndex(text)
	if m == nil {
		return v, text, false
	}
	part := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return text[m[2*i]:m[2*i+1]]
	}
	number := plainNumber(part(2), part(3))
	from, end := m[4], m[1]
	switch unit := units[strings.ToLower(part(4))]; {
	case part(1) != "":
		v.unit, from = signs[strings.TrimSpace(part(1))], m[2]
		if m[8] >= 0 && unitKinds["money"][unit] {
			v.unit = unit // "$20 USD"
		} else if m[8] >= 0 {
			end = m[8] - 1
		}
	case strings.HasSuffix(text[:end], "%"):
		v.unit = "%"
	case unit != "":
		v.unit = unit
	case countable(part(4)):
		v.unit, v.counts = strings.ToLower(part(4)), true
	default:
		return v, text, false
	}
	v.text, rest = strings.Replace(number+" "+v.unit, " %", "%", 1), text[end:]
	if at := rateAhead().FindStringSubmatch(rest); at != nil && !v.counts {
		v.text += " a " + at[1]
		end += len(at[0])
	}
	v.said, rest = strings.TrimSpace(text[from:end]), text[end:]
	return v, rest, !compares().MatchString(rest)
}

// weighed returns a value as a weight: there, pounds are no money.
func (v value) weighed() value {
	if v.unit == "pounds" && !strings.Contains(v.said, "£") {
		v.unit, v.text = "lb", strings.Replace(v.text, " pounds", " lb", 1)
	}
	return v
}

// plainNumber writes a number in digits, without thousands separators.
func plainNumber(number, times string) string {
	if digits := numbers[strings.ToLower(number)]; digits != "" {
		number = digits
	}
	number = strings.NewReplacer(",", "", " ", "").Replace(number)
	switch times = strings.ToLower(times); {
	case times == "":
		return number
	case (times == "k" || times == "thousand") && !strings.Contains(number, "."):
		return number + "000"
	case times == "k":
		times = "thousand"
	}
	return number + " " + times
}

// countable reports whether a word may be a counted noun: a plural.
func countable(word string) bool {
	lower := strings.ToLower(word)
	return plurals[lower] || strings.HasSuffix(lower, "s") && !strings.HasSuffix(lower, "ss") && len(lower) > 3 &&
		lower == word && !notCounted[lower] && !phraseStops[lower] && !notThings[lower] && !timeWords[lower]
}

var (
	plurals = set(`people children women men mice geese sheep staff fish`)

	// Plurals that are no things that somebody has a number of.
	notCounted = set(`times things hours days weeks months years minutes seconds decades plans goals reasons ways thoughts`)
)

// phrase returns the value as a phrase.
func (v value) phrase() phrase { return phrase{text: v.text, label: valueLabel, said: v.said} }

const valueLabel = "Value"

// unitOf returns the kind of a value's unit, or the unit if it has no kind. It returns "date" for a
// date, and "" for anything else.
func unitOf(target string) string {
	if writtenDate().MatchString(target) {
		return "date"
	}
	m := writtenValue().FindStringSubmatch(target)
	if m == nil {
		return ""
	}
	unit, _, _ := strings.Cut(m[1], " a ")
	if strings.HasPrefix(unit, "-") {
		return "" // "555-0142" is a number of a phone
	}
	for kind, units := range unitKinds {
		if units[unit] {
			return kind
		}
	}
	return unit
}

// sameMeasure reports whether two targets are values of one kind.
func sameMeasure(a, b string) bool { return unitOf(a) != "" && unitOf(a) == unitOf(b) }
