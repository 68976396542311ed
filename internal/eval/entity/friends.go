package entity

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mention is a name in the dialogue with the person it means.
type mention struct{ name, person string }

// mentionSet is a data set of mentions in order.
type mentionSet struct {
	name     string
	mentions []mention
	skipped  int
}

type season struct {
	Episodes []struct {
		Scenes []struct {
			Utterances []utterance `json:"utterances"`
		} `json:"scenes"`
	} `json:"episodes"`
}

type utterance struct {
	Tokens   [][]string   `json:"tokens"`
	Entities [][]tokenRun `json:"character_entities"`
}

// tokenRun is the tokens of a sentence from start to before end, with the
// persons they mean.
type tokenRun struct {
	start, end int
	persons    []string
}

// UnmarshalJSON reads [start, end, person, ...].
func (r *tokenRun) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) < 3 {
		return fmt.Errorf("mention %s: want [start, end, person]", data)
	}
	if err := json.Unmarshal(parts[0], &r.start); err != nil {
		return err
	}
	if err := json.Unmarshal(parts[1], &r.end); err != nil {
		return err
	}
	r.persons = make([]string, len(parts)-2)
	for i, p := range parts[2:] {
		if err := json.Unmarshal(p, &r.persons[i]); err != nil {
			return err
		}
	}
	return nil
}

// readFriends selects the names among the mentions of a season.
func readFriends(name string, r io.Reader) (*mentionSet, error) {
	var s season
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return nil, fmt.Errorf("read dialogue: %w", err)
	}
	cases := countCases(s)
	out := &mentionSet{name: name}
	for u := range s.utterances() {
		for i, sentence := range u.Tokens {
			if i >= len(u.Entities) {
				break
			}
			for _, run := range u.Entities[i] {
				if m, ok := cases.mention(sentence, run); ok {
					out.mentions = append(out.mentions, m)
				} else {
					out.skipped++
				}
			}
		}
	}
	return out, nil
}

func (s season) utterances() func(func(utterance) bool) {
	return func(yield func(utterance) bool) {
		for _, e := range s.Episodes {
			for _, scene := range e.Scenes {
				for _, u := range scene.Utterances {
					if !yield(u) {
						return
					}
				}
			}
		}
	}
}

// casing counts how often a word inside sentences begins with a small and with
// a capital letter.
type casing map[string]struct{ small, large int }

func countCases(s season) casing {
	out := casing{}
	for u := range s.utterances() {
		for _, sentence := range u.Tokens {
			for i, t := range sentence {
				c := out[strings.ToLower(t)]
				if !startsUpper(t) {
					c.small++
				} else if i > 0 {
					c.large++
				}
				out[strings.ToLower(t)] = c
			}
		}
	}
	return out
}

// mention returns the name in a run of words, including a title before it, if
// the run is a name and means one person.
func (c casing) mention(sentence []string, run tokenRun) (mention, bool) {
	if run.start < 0 || run.end > len(sentence) || run.start >= run.end || len(run.persons) != 1 {
		return mention{}, false
	}
	if p := run.persons[0]; p == "Unknown" || strings.HasPrefix(p, "#") {
		return mention{}, false
	}
	words := sentence[run.start:run.end]
	if !slices.ContainsFunc(words, c.isName) || !startsUpper(words[0]) {
		return mention{}, false
	}
	start := run.start
	if start > 1 && sentence[start-1] == "." && personTitles[strings.ToLower(sentence[start-2])] {
		start -= 2
	} else if start > 0 && personTitles[strings.ToLower(strings.Trim(sentence[start-1], "."))] {
		start--
	}
	name := strings.ReplaceAll(strings.Join(sentence[start:run.end], " "), " 's", "'s")
	return mention{name: name, person: run.persons[0]}, true
}

// isName reports whether a word is capitalised, and inside sentences at least
// as often as not: "Ross", but not "Honey".
func (c casing) isName(word string) bool {
	count := c[strings.ToLower(word)]
	return startsUpper(word) && count.large >= count.small && !personTitles[strings.ToLower(word)] &&
		!pronouns[strings.ToLower(strings.TrimRight(word, "-I"))] && word != "I"
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

var (
	// Pronouns that are always or often capitalised.
	pronouns = map[string]bool{"": true, "i": true, "me": true, "my": true, "we": true, "us": true, "you": true, "ya": true, "they": true, "he": true, "she": true, "it": true}

	personTitles = map[string]bool{"mr": true, "mrs": true, "ms": true, "miss": true, "dr": true, "prof": true, "professor": true, "aunt": true, "uncle": true, "colonel": true}
)
