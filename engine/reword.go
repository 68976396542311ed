package engine

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
)

// reword gives what stays believed of a sentence words of its own, where another
// part of the sentence was taken back, and puts the corrected name of an entity
// into the sentences about it.
func (e *Engine) reword(ctx context.Context, d *draft) error {
	d.rewordParts()
	d.rewordLists()
	d.rewordNames()
	var texts []string
	var take []func([]float32)
	for _, k := range d.known {
		if k.reworded != "" && !k.expired {
			texts = append(texts, graph.SearchText(k.reworded, k.Predicate))
			take = append(take, func(v []float32) { k.vector = v })
		}
	}
	for _, f := range d.facts {
		if f.reworded && !f.expired && f.duplicateOf == nil {
			texts = append(texts, graph.SearchText(f.fact, f.predicate))
			take = append(take, func(v []float32) { f.vector = v })
		}
	}
	if len(texts) == 0 {
		return nil
	}
	vectors, err := e.embed(ctx, texts)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		take[i](v)
	}
	return nil
}

func (d *draft) rewordParts() {
	gone := func(sentence string, of graph.Fact) (facts []graph.Fact) {
		for _, r := range d.retracted {
			if k := r.fact; k.expired && k.ID != of.ID && k.StatementID == of.StatementID && k.Fact.Fact == sentence {
				facts = append(facts, k.Fact)
			}
		}
		return facts
	}
	for _, k := range d.known {
		if k.expired {
			continue
		}
		if parts := gone(k.Fact.Fact, k.Fact); parts != nil {
			d.sayAnew(k, partOfSentence(k.Fact.Fact, k.Fact, parts))
		}
	}
	said := make([][]graph.Fact, len(d.facts))
	for i, f := range d.facts {
		if f.duplicateOf == nil && !f.expired {
			said[i] = gone(f.fact, f.asFact(d.groupID))
		}
	}
	for i, f := range d.facts {
		if said[i] != nil {
			f.fact, f.reworded = partOfSentence(f.fact, f.asFact(d.groupID), said[i]), true
		}
	}
}

// rewordNames calls entities by their corrected names.
func (d *draft) rewordNames() {
	for _, r := range d.renamed {
		for _, k := range d.known {
			if !k.expired && (k.SourceID == r.node.ID || k.TargetID == r.node.ID) {
				d.sayAnew(k, replaceName(k.says(), r.old, r.node.Name))
			}
		}
	}
}

func (d *draft) sayAnew(k *knownFact, sentence string) {
	if sentence == k.says() {
		return
	}
	k.reworded = sentence
	d.note(note{
		step: stepApplyTime, decision: decidedMended, subject: k.Fact.Fact, fact: k.ID,
		reason: "a part of it was taken back; what stays is: " + sentence,
	})
}

// says is the sentence of a known fact as it is from now on.
func (k *knownFact) says() string {
	if k.reworded != "" {
		return k.reworded
	}
	return k.Fact.Fact
}

// edit is a known fact with its new words, as it is to be written.
func (k *knownFact) edit() db.FactEditParams {
	f, on := k.anew(), k.dates()
	return db.FactEditParams{
		GroupID: f.GroupID, ID: f.ID, Predicate: f.Predicate, Fact: f.Fact, Told: f.Told(), Attributes: object(f.Attributes),
		ValidStart: on.ValidStart, ValidEnd: on.ValidEnd, FromBasis: on.FromBasis, FromPrecision: on.FromPrecision,
		UntilBasis: on.UntilBasis, UntilPrecision: on.UntilPrecision, BoundedBy: on.BoundedBy,
	}
}

// anew is the fact in its new words.
func (k *knownFact) anew() graph.Fact {
	f := k.Fact
	if k.reworded != "" {
		f.Fact, f.ToldAs = k.reworded, ""
	}
	return f
}

// What stands between the clauses of a sentence.
var betweenClauses = pattern.New(`(?:, (?:and |und |but )?| and | und | but |; )`)

// partOfSentence is a sentence about several pairs as it reads for the one that
// stays believed: its clause, the head of a list with its own item, else the
// relation in words.
func partOfSentence(sentence string, kept graph.Fact, gone []graph.Fact) string {
	clauses := betweenClauses().Split(strings.TrimRight(sentence, ". "), -1)
	for _, c := range clauses {
		if len(clauses) > 1 && holdsName(c, kept.Source) && holdsName(c, kept.Target) && !tellsOf(c, kept, gone) {
			return stopped(c)
		}
	}
	if s := withoutItems(sentence, kept, gone); s != "" {
		return s
	}
	if s := ofSubject(clauses, kept, gone); s != "" {
		return stopped(s)
	}
	return stopped(kept.Source + " " + strings.ToLower(strings.ReplaceAll(kept.Predicate, "_", " ")) + " " + kept.Target)
}

// ofSubject is a later clause of the sentence's subject: "is Eva's boss" of "Ana
// works at Norda and is Eva's boss" gives "Ana is Eva's boss".
func ofSubject(clauses []string, kept graph.Fact, gone []graph.Fact) string {
	for _, ends := range [][2]string{{kept.Source, kept.Target}, {kept.Target, kept.Source}} {
		if !strings.HasPrefix(clauses[0], ends[0]+" ") {
			continue
		}
		for _, c := range clauses[1:] {
			verb, _, more := strings.Cut(c, " ")
			if more && strings.HasSuffix(verb, "s") && strings.ToLower(verb) == verb && holdsName(c, ends[1]) && !tellsOf(c, kept, gone) {
				return ends[0] + " " + c
			}
		}
	}
	return ""
}

// tellsOf reports whether a clause names an end of what was taken back that the
// fact that stays does not have.
func tellsOf(clause string, kept graph.Fact, gone []graph.Fact) bool {
	return slices.ContainsFunc(gone, func(g graph.Fact) bool {
		return slices.ContainsFunc([]string{g.Source, g.Target}, func(name string) bool {
			return name != kept.Source && name != kept.Target && holdsName(clause, name)
		})
	})
}

func stopped(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	return string(unicode.ToUpper(first)) + clause[size:] + "."
}

// holdsName reports whether a text has a name as words of their own.
func holdsName(text, name string) bool {
	return nameAt(strings.ToLower(text), strings.ToLower(name)) >= 0
}

// nameAt is where a text has a name as words of their own; -1: nowhere.
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

// replaceName puts another name in the place of one.
func replaceName(text, old, name string) string {
	var out strings.Builder
	for {
		i := nameAt(text, old)
		if i < 0 {
			return out.String() + text
		}
		out.WriteString(text[:i] + name)
		text = text[i+len(old):]
	}
}
