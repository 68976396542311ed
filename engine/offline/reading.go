package offline

import (
	"slices"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

const (
	maxRead     = 1 << 16 // bytes of one episode that are read
	maxClauses  = 400     // of one utterance that are read for facts
	maxEntities = 12      // of one utterance, plus as many for each further 1,000 bytes
)

// reading is the result of reading an episode.
type reading struct {
	speakers []string
	said     []said
}

// said is the result of reading one utterance.
type said struct {
	names  []name
	claims []claim
	limit  int // on the number of entities

	amended bool // it corrects itself

	aliases []alias
}

// name is the name of an entity.
type name struct {
	text  string
	label string // empty: unknown

	spokenTo bool // it addresses somebody: "Hey Jo"
}

// claim is a statement about two entities.
type claim struct {
	subject, subjectLabel string
	object, objectLabel   string
	objectSaid            string // the words that gave a value
	predicate             string
	relative              string // what the object is to the subject, if that is all the sentence says: "sister"
	sentence              string // complete by itself
	rule                  string // that recognised it
	timing
	ends bool
}

// read applies the rules to an episode.
func read(e prompts.Episode) reading {
	if e.Source == string(graph.SourceJSON) {
		return readJSON(e)
	}
	var r reading
	for _, u := range utterances(e) {
		if u.speaker != "" {
			r.speakers = append(r.speakers, u.speaker)
		}
		u.speaker, u.listener = upperFirst(u.speaker), upperFirst(u.listener) // as at the start of a sentence
		u.text = spelledOut(e, u)
		u.text = inUnit(e, ofWhat(e, u.text))
		u.text = ofWhom(e, u)
		s := said{names: findNames(u), limit: maxEntities * (1 + len(u.text)/1000), amended: amended(u.text) != u.text}
		s.names = append(s.names, namedBefore(e, u, s.names)...)
		if noun, whole := neverHad(u.text, u.speaker); kin[noun] != "" {
			s.names = append(s.names, name{text: whole, label: kinLabel(noun)})
		}
		s.aliases = aliases(u, s.names)
		scene := &scene{u: u, names: withSpeaker(s.names, u.speaker)}
		if mayBeTogether(u.text) || pronounAhead().MatchString(u.text) {
			scene.third = spokenOf(e, u)
		}
		for _, clause := range clausesOf(u.text) {
			claims := scene.read(clause.text)
			if clause.amends {
				left := replaced(s.claims, claims, clause.mean)
				s.amended = s.amended || len(left) < len(s.claims)
				s.claims = left
			}
			s.claims = append(s.claims, claims...)
		}
		s.claims = slices.DeleteFunc(s.claims, func(cl claim) bool { // what is corrected or called off never held, so it is not over
			return cl.rule == denial && (isCorrection(u.text) || objects(u.text) || takesBack(u.text) && takesBack(cl.sentence))
		})
		s.claims = append(s.claims, corrected(e, u, s.names, s.claims)...)
		if len(s.claims) == 0 {
			s.claims = postponed(e, u)
		}
		s.claims = append(s.claims, weddingMoved(e, u, s.claims)...)
		s.claims = endedWithin(s.claims)
		s.aliases = append(s.aliases, byKinship(s.claims)...)
		s.nameListener(u)
		for _, cl := range s.claims {
			if cl.objectSaid != "" && fold(cl.objectSaid) != fold(cl.object) {
				s.aliases = append(s.aliases, alias{cl.object, cl.objectSaid})
			}
		}
		r.said = append(r.said, s)
	}
	return r
}

// entities returns each entity once: the speakers, then for each utterance the ends of its claims,
// which facts need, and its other names.
func (r reading) entities() []prompts.ExtractedEntity {
	l := entityList{places: map[string]int{}}
	for _, speaker := range r.speakers {
		l.add(speaker, "Person")
	}
	for _, s := range r.said {
		l.limit = len(l.entities) + s.limit
		for _, n := range s.names {
			l.label(n.text, n.label)
		}
		for _, c := range s.claims {
			l.add(c.subject, c.subjectLabel)
			l.add(c.object, c.objectLabel)
		}
		for _, n := range s.names {
			l.add(n.text, n.label)
		}
	}
	return r.withAliases(l.entities)
}

// withAliases adds their aliases to the entities.
func (r reading) withAliases(entities []prompts.ExtractedEntity) []prompts.ExtractedEntity {
	needed := map[string]bool{}
	for _, s := range r.speakers {
		needed[fold(s)] = true
	}
	for _, s := range r.said {
		for _, c := range s.claims {
			needed[fold(c.subject)], needed[fold(c.object)] = true, true
		}
	}
	for _, s := range r.said {
		entities = give(entities, s.aliases, needed)
	}
	return entities
}

// entityList is a list without duplicate names.
type entityList struct {
	entities []prompts.ExtractedEntity
	places   map[string]int
	labels   map[string]string
	limit    int // 0: no limit
}

// label stores the type of a name that may be added without one.
func (l *entityList) label(text, label string) {
	if l.labels == nil {
		l.labels = map[string]string{}
	}
	if key := fold(text); label != "" && l.labels[key] == "" {
		l.labels[key] = label
	}
}

func (l *entityList) add(text, label string) {
	key := fold(text)
	if label == "" || l.labels[key] != "" {
		label = l.labels[key]
	}
	if i, ok := l.places[key]; ok {
		if l.entities[i].Label == "" {
			l.entities[i].Label = label
		}
		return
	}
	if key == "" || l.limit > 0 && len(l.entities) >= l.limit {
		return
	}
	l.places[key] = len(l.entities)
	l.entities = append(l.entities, prompts.ExtractedEntity{Name: text, Label: label})
}

// amended reports whether the episode corrects its own words.
func (r reading) amended() bool {
	return slices.ContainsFunc(r.said, func(s said) bool { return s.amended })
}

// withSpeaker adds the speaker to the names, since "me" in a sentence stands for the speaker.
func withSpeaker(names []name, speaker string) []name {
	if speaker == "" || roles[fold(speaker)] || slices.ContainsFunc(names, func(n name) bool { return n.text == speaker }) {
		return names
	}
	return append(slices.Clip(names), name{text: speaker, label: "Person"})
}
