package dates

import (
	"strings"
)

var numberWords = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
	"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
	"fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
	"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var ordinalWords = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
	"fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
	"nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}

// small reads a number below one hundred in digits or words, such as 7, "seven" or "twenty one".
// It returns where the number ends, or 0.
func (p *parser) small(i int) (int, int) {
	t := p.at(i)
	if t.kind == numberToken && !t.ordinal && t.width <= 4 {
		return t.value, i + 1
	}
	tens, ok := numberWords[t.text]
	if !ok || t.kind != wordToken {
		return 0, 0
	}
	if tens >= 20 {
		k := p.skip(i+1, "-")
		if ones, ok := numberWords[p.word(k)]; ok && ones >= 1 && ones <= 9 {
			return tens + ones, k + 1
		}
	}
	return tens, i + 1
}

// number reads digits or number words up to the thousands: "two hundred and sixty seven".
func (p *parser) number(i int) (int, int) {
	value, end := p.small(i)
	if end == 0 || p.at(i).kind == numberToken {
		return value, end
	}
	total := 0
	for {
		switch p.word(end) {
		case "thousand":
			total, value, end = total+value*1000, 0, end+1
		case "hundred":
			value, end = value*100, end+1
		default:
			return total + value, end
		}
		more, next := p.small(p.skip(end, "and"))
		if next == 0 || p.at(next-1).kind == numberToken {
			return total + value, end
		}
		value, end = value+more, next
	}
}

// ordinal reads "21st", "twenty-first" or "second".
func (p *parser) ordinal(i int) (int, int) {
	t := p.at(i)
	if t.kind == numberToken {
		if t.ordinal && t.width <= 2 {
			return t.value, i + 1
		}
		return 0, 0
	}
	if n, ok := ordinalWords[t.text]; ok {
		return n, i + 1
	}
	if tens := numberWords[t.text]; tens == 20 || tens == 30 {
		k := p.skip(i+1, "-")
		if n, ok := ordinalWords[p.word(k)]; ok && n <= 9 {
			return tens + n, k + 1
		}
	}
	return 0, 0
}

// count reads how many of a unit: a number, "a", "a few", "a couple of", "several".
func (p *parser) count(i int) (int, int) {
	switch w := p.word(i); w {
	case "a", "an":
		switch p.word(i + 1) {
		case "few":
			return 3, i + 2
		case "couple":
			return 2, p.skip(i+2, "of")
		case "dozen":
			return 12, i + 2
		}
		return 1, i + 1
	case "few", "several":
		return 3, i + 1
	case "couple":
		if p.is(i-1, "past", "last", "next", "first", "the", "coming", "previous") {
			return 2, p.skip(i+1, "of")
		}
	}
	return p.number(i)
}

// yearInWords reads "nineteen ninety nine", "two thousand and five" or "twenty ten".
func (p *parser) yearInWords(i int) (int, int) {
	if p.at(i).kind != wordToken {
		return 0, 0
	}
	century, end := p.small(i)
	if end == 0 {
		return 0, 0
	}
	if century >= 11 && century <= 20 && !p.is(end, "hundred", "thousand") {
		k := p.skip(end, "-")
		if p.is(k, "zero", "oh", "o") {
			if n, next := p.small(k + 1); next > 0 && n < 10 {
				return century*100 + n, next
			}
		}
		if n, next := p.small(k); next > 0 && n >= 10 && n < 100 && p.at(k).kind == wordToken {
			return century*100 + n, next
		}
		return 0, 0
	}
	if n, next := p.number(i); n >= 1000 && n < 2200 {
		return n, next
	}
	return 0, 0
}

// decadeWord reads "seventies" as 70, and other words as 0.
func decadeWord(w string) int {
	if stem, ok := strings.CutSuffix(w, "ies"); ok {
		if n := numberWords[stem+"y"]; n >= 20 {
			return n
		}
	}
	return 0
}
