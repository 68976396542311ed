package wording

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
)

// betweenClauses matches what separates the clauses of a sentence.
var betweenClauses = pattern.New(`(?:, (?:and |und |but )?| and | und | but |; )`)

// PartOfSentence reduces a sentence about several facts to one of them: its clause, or the list
// without the other items, or else its predicate in words.
func PartOfSentence(sentence string, kept graph.Fact, gone []graph.Fact) string {
	clauses := betweenClauses().Split(strings.TrimRight(sentence, ". "), -1)
	for _, c := range clauses {
		if len(clauses) > 1 && HoldsName(c, kept.Source) && HoldsName(c, kept.Target) && !tellsOf(c, kept, gone) {
			return stopped(c)
		}
	}
	if s := WithoutItems(sentence, kept, gone); s != "" {
		return s
	}
	if s := ofSubject(clauses, kept, gone); s != "" {
		return stopped(s)
	}
	return stopped(kept.Source + " " + strings.ToLower(strings.ReplaceAll(kept.Predicate, "_", " ")) + " " + kept.Target)
}

// ofSubject puts the subject of the sentence before a later clause: "Ana works at Norda and is
// Eva's boss" gives "Ana is Eva's boss".
func ofSubject(clauses []string, kept graph.Fact, gone []graph.Fact) string {
	for _, ends := range [][2]string{{kept.Source, kept.Target}, {kept.Target, kept.Source}} {
		if !strings.HasPrefix(clauses[0], ends[0]+" ") {
			continue
		}
		for _, c := range clauses[1:] {
			verb, _, more := strings.Cut(c, " ")
			if more && strings.HasSuffix(verb, "s") && strings.ToLower(verb) == verb && HoldsName(c, ends[1]) && !tellsOf(c, kept, gone) {
				return ends[0] + " " + c
			}
		}
	}
	return ""
}

// tellsOf reports whether a clause names an end of a removed fact.
func tellsOf(clause string, kept graph.Fact, gone []graph.Fact) bool {
	return slices.ContainsFunc(gone, func(g graph.Fact) bool {
		return slices.ContainsFunc([]string{g.Source, g.Target}, func(name string) bool {
			return name != kept.Source && name != kept.Target && HoldsName(clause, name)
		})
	})
}

func stopped(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	return string(unicode.ToUpper(first)) + clause[size:] + "."
}

// HoldsName reports whether a text contains a name as separate words.
func HoldsName(text, name string) bool {
	return nameAt(strings.ToLower(text), strings.ToLower(name)) >= 0
}

// nameAt returns where a text contains a name as separate words, or -1.
func nameAt(text, name string) int {
	if name == "" {
		return -1
	}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !inWord(before) && !inWord(after) {
			return i
		}
		from = i + len(name)
	}
}

// ReplaceName replaces a name in a text, except where it is part of another name.
func ReplaceName(text, old, name string, others ...string) string {
	var out strings.Builder
	for {
		i := nameAt(text, old)
		if i < 0 {
			return out.String() + text
		}
		end := i + len(old)
		if other := endOfOther(text, i, old, others); other > 0 {
			out.WriteString(text[:other])
			end = other
		} else {
			out.WriteString(text[:i] + name)
		}
		text = text[end:]
	}
}

// endOfOther returns the end of another name that contains the name at i, or 0.
func endOfOther(text string, i int, name string, others []string) int {
	for _, other := range others {
		from := nameAt(other, name)
		if from >= 0 && len(other) > len(name) && i >= from && strings.HasPrefix(text[i-from:], other) {
			return i - from + len(other)
		}
	}
	return 0
}

// WithoutItems removes items from the list of a sentence: "Eva likes sushi, chess and jazz" without
// chess is "Eva likes sushi and jazz". It is empty if the sentence has no such list.
func WithoutItems(sentence string, kept graph.Fact, gone []graph.Fact) string {
	left := sentence
	for _, g := range gone {
		if g.SourceID != kept.SourceID || g.Predicate != kept.Predicate {
			return ""
		}
		if left = withoutItem(left, g.Target); left == "" {
			return ""
		}
	}
	if left == sentence || !HoldsName(left, kept.Source) || !HoldsName(left, kept.Target) || slices.ContainsFunc(gone, func(g graph.Fact) bool { return HoldsName(left, g.Target) }) {
		return ""
	}
	return left
}

var determiner = pattern.New(`(?:^|\s)((?:the|an?|my|our|his|her|their|\S+'s) )$`)

// withoutItem removes one item from a list.
func withoutItem(sentence, item string) string {
	at := nameAt(strings.ToLower(sentence), strings.ToLower(item))
	if at < 0 {
		return ""
	}
	left, right := sentence[:at], sentence[at+len(item):]
	if m := determiner().FindStringSubmatchIndex(left); m != nil {
		left = left[:m[2]]
	}
	switch head, last := strings.CutSuffix(left, " and "); {
	case last:
		head = strings.TrimSuffix(head, ",")
		if i := strings.LastIndex(head, ", "); i >= 0 {
			head = head[:i] + " and " + head[i+2:]
		}
		return head + right
	case strings.HasSuffix(left, ", ") && strings.HasPrefix(right, " and "):
		return left[:len(left)-2] + right
	case strings.HasPrefix(right, " and "):
		return left + right[len(" and "):]
	case strings.HasPrefix(right, ", "):
		return left + right[len(", "):]
	}
	return ""
}
