package matching

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/annalsdb/annals/internal/pattern"
)

// attribute is a value prepared for comparison.
type attribute struct {
	key   string
	sort  sort
	text  string // canonical: the digits of an identifier, the day of a date
	words []word // the words of a text
	value float64
	rare  float64
}

// sort is the sort of a value.
type sort int

const (
	text       sort = iota
	identifier      // a telephone number, a mail address, an insurance number
	date            // a day
	duration        // minutes and seconds
	code            // a short number that measures nothing: a house number, a postcode
	quantity        // a measure, a price
)

func newAttribute(key, value string) (attribute, bool) {
	value = strings.TrimSpace(Fold(value))
	a := attribute{key: foldKey(key), text: value, rare: 1}
	if !strings.ContainsFunc(value, inWord) {
		return a, false // "-"; "n/a" has letters and is compared, as it is a value to somebody
	}
	switch {
	case !strings.ContainsAny(value, "0123456789"):
		if strings.Contains(value, "@") && !strings.Contains(value, " ") {
			a.sort = identifier
			return a, true
		}
	case a.asDate(), a.asDuration(), a.asNumber():
		return a, true
	}
	a.words = splitWords(value)
	a.text = join(a.words)
	a.rare = guessRarity(a.text)
	return a, a.text != ""
}

func foldKey(s string) string { return keep(Fold(s), inWord) }

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// keep returns the runes of a text that such accepts.
func keep(s string, such func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if such(r) {
			return r
		}
		return -1
	}, s)
}

var dateLayouts = []string{
	"2006-1-2", "2006/1/2", "2006-01-02t15:04:05z07:00", "2 January 2006", "2 Jan 2006", "2-Jan-06", "2-Jan-2006",
	"January 2 2006", "Jan 2 2006",
}

// asDate reads a day. Eight digits are a day only if the key speaks of a date.
func (a *attribute) asDate() bool {
	if len(a.text) < 8 || len(a.text) > 30 {
		return false
	}
	if strings.Contains(a.key, "date") || strings.Contains(a.key, "birth") || strings.Contains(a.key, "born") {
		if len(a.text) == 8 && strings.Trim(a.text, "0123456789") == "" {
			a.sort = date
			return true
		}
	}
	plain := strings.Join(strings.Fields(strings.ReplaceAll(a.text, ",", " ")), " ")
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, plain); err == nil {
			a.sort, a.text = date, t.Format("20060102")
			return true
		}
	}
	return false
}

func (a *attribute) asDuration() bool {
	parts := strings.Split(a.text, ":")
	if len(parts) < 2 || len(parts) > 3 || len(a.text) > 8 {
		return false
	}
	seconds := 0
	for _, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return false
		}
		seconds = seconds*60 + n
	}
	a.sort, a.value = duration, float64(seconds)
	a.text = strconv.Itoa(seconds)
	return true
}

var (
	measure   = pattern.New(`^([$€£¥]?) ?(-?\d+(?:\.\d+)?) ?(%|[$€£¥]|[a-z]{0,3})$`)
	telephone = pattern.New(`^\+?[\d\s()/.\-]+$`)
)

// asNumber reads a value that consists of digits, signs and at most a unit.
func (a *attribute) asNumber() bool {
	if len(a.text) > 24 {
		return false
	}
	if m := measure().FindStringSubmatch(a.text); m != nil {
		if m[1] != "" || m[3] != "" || strings.Contains(m[2], ".") {
			a.sort = quantity
			a.value, _ = strconv.ParseFloat(m[2], 64) // the pattern admits only numbers
			a.text = strconv.FormatFloat(a.value, 'g', -1, 64)
			return true
		}
	}
	if !telephone().MatchString(a.text) {
		return false
	}
	a.text = keep(a.text, func(r rune) bool { return r >= '0' && r <= '9' })
	a.sort = code
	if len(a.text) >= 6 {
		a.sort = identifier
	}
	return true
}
