package truth

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/eval/datafile"
	"github.com/annalsdb/annals/prompts"
)

// Case is a few messages with the beliefs expected after them.
type Case struct {
	ID       string        `json:"id"`
	Rule     string        `json:"rule"`
	Offline  bool          `json:"offline"`
	InOrder  string        `json:"in_order"` // why the order of messages matters; empty: see [Case.AnyOrder]
	Messages []Message     `json:"messages"`
	Expect   []Expectation `json:"expect"`
	Happened []Happening   `json:"happened"`
}

// Message is a message with a reader's answers about it.
type Message struct {
	At        time.Time  `json:"at"`
	Actor     string     `json:"actor"`
	Role      string     `json:"role"`
	Text      string     `json:"text"`
	Entities  []Entity   `json:"entities"`
	Facts     []Fact     `json:"facts"`
	Relations []Relation `json:"relations"`

	takesBack bool // it takes back something that is not read yet
}

// Entity is a person or thing that a message mentions.
type Entity struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Aliases []string `json:"aliases"`
}

// Fact is a statement of a message.
type Fact struct {
	Source    string `json:"source"`
	Predicate string `json:"predicate"`
	Target    string `json:"target"`
	Fact      string `json:"fact"`
	ValidAt   string `json:"valid_at"`
	InvalidAt string `json:"invalid_at"`
	Ends      bool   `json:"ends"`
	Kind      string `json:"kind"`
}

// Relation relates a new fact to known ones, all given by their sentences.
type Relation struct {
	Fact        string   `json:"fact"` // empty: the message only takes something back
	Contradicts []string `json:"contradicts"`
	Repeats     string   `json:"repeats"`
	Retracts    []string `json:"retracts"`
}

// Triple identifies a fact by names: source, predicate, target.
type Triple [3]string

// String returns source, predicate and target, separated by spaces.
func (t Triple) String() string { return strings.Join(t[:], " ") }

// Expectation lists facts that must and must not hold at a time in the world.
type Expectation struct {
	At             time.Time `json:"at"`
	KnownAtMessage int       `json:"known_at_message"` // as believed after this message, from 1; zero: after the last
	Holds          []Triple  `json:"holds"`
	Not            []Triple  `json:"not"`
	Reads          []Telling `json:"reads"` // a plan must also be listed as of that time
}

// Telling is the expected wording of a fact as of a time.
type Telling struct {
	Fact Triple `json:"fact"`
	When string `json:"when"` // expected [annals.Fact.When]
	Told string `json:"told"` // expected [annals.Fact.Told]; empty: any
}

// Happening is the expected time of an event.
type Happening struct {
	Fact Triple `json:"fact"`
	From Moment `json:"from"`
	To   Moment `json:"to"`
}

// Moment is a time; a date stands for its midnight.
type Moment struct{ time.Time }

// UnmarshalJSON reads a date or a time.
func (m *Moment) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	form := time.RFC3339
	if len(s) == len(time.DateOnly) {
		form = time.DateOnly
	}
	var err error
	m.Time, err = time.Parse(form, s)
	return err
}

// Load reads a file of cases.
func Load(path string) ([]Case, error) { return datafile.Load(path, Read) }

// Read reads cases from JSON lines.
func Read(r *bufio.Reader) ([]Case, error) {
	ids := map[string]bool{}
	return datafile.Lines(r, "case", func(c Case) error {
		if err := c.validate(); err != nil {
			return err
		}
		if ids[c.ID] {
			return fmt.Errorf("another case is called %s, too", c.ID)
		}
		ids[c.ID] = true
		return nil
	})
}

// validate refuses a case that cannot be run or expects nothing.
func (c Case) validate() error {
	switch {
	case c.ID == "":
		return errors.New("has no id")
	case len(c.Messages) == 0:
		return fmt.Errorf("%s has no messages", c.ID)
	case len(c.Expect)+len(c.Happened) == 0:
		return fmt.Errorf("%s expects nothing", c.ID)
	}
	for i, m := range c.Messages {
		if m.Text == "" || m.At.IsZero() {
			return fmt.Errorf("%s: message %d has no text or no time", c.ID, i+1)
		}
		for _, f := range m.Facts {
			if f.Kind != prompts.State && f.Kind != prompts.Event {
				return fmt.Errorf("%s: the kind of %q is %q; it must be %s or %s", c.ID, f.Fact, f.Kind, prompts.State, prompts.Event)
			}
			for _, end := range []string{f.Source, f.Target} {
				if !m.names(end) {
					return fmt.Errorf("%s: %q is about %s, whom message %d does not list", c.ID, f.Fact, end, i+1)
				}
			}
		}
	}
	for _, e := range c.Expect {
		if e.At.IsZero() || e.KnownAtMessage < 0 || e.KnownAtMessage > len(c.Messages) {
			return fmt.Errorf("%s: an expectation has no time, or is of message %d of %d", c.ID, e.KnownAtMessage, len(c.Messages))
		}
	}
	return nil
}

// names reports whether the message lists an entity, or is by them.
func (m Message) names(name string) bool {
	return strings.EqualFold(m.Actor, name) || slices.ContainsFunc(m.Entities, func(e Entity) bool { return strings.EqualFold(e.Name, name) })
}
