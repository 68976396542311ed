package locomo

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/annalsdb/annals/internal/eval/datafile"
)

// Category is the kind of a question, by LoCoMo's numbers.
type Category int

// The categories. Results are usually given over the first four.
const (
	MultiHop    Category = 1 // needs turns of several sessions
	Temporal    Category = 2 // needs dates
	OpenDomain  Category = 3 // also needs common knowledge
	SingleHop   Category = 4 // one session has the answer
	Adversarial Category = 5 // the conversation does not have the answer
)

var categoryNames = map[Category]string{
	MultiHop: "1 multi-hop", Temporal: "2 temporal", OpenDomain: "3 open-domain", SingleHop: "4 single-hop", Adversarial: "5 adversarial",
}

// String returns the category's number and name.
func (c Category) String() string { return categoryNames[c] }

// Question asks about a conversation.
type Question struct {
	Text     string
	Category Category

	// Answer is the right answer. It is empty for most adversarial questions.
	Answer string

	// Evidence holds the [Turn.DiaID]s that contain the answer. It may be
	// empty, and a few of the authors' ids match no turn.
	Evidence []string
}

// UnmarshalJSON reads one of the objects under "qa".
func (q *Question) UnmarshalJSON(data []byte) error {
	var raw struct {
		Question string          `json:"question"`
		Category Category        `json:"category"`
		Answer   datafile.Scalar `json:"answer"`
		Evidence []string        `json:"evidence"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if raw.Category < MultiHop || raw.Category > Adversarial {
		return fmt.Errorf("question %q has the category %d, which LoCoMo does not know", raw.Question, raw.Category)
	}
	*q = Question{
		Text: raw.Question, Category: raw.Category,
		Answer:   string(raw.Answer),
		Evidence: turnsIn(raw.Evidence),
	}
	return nil
}

var diaID = regexp.MustCompile(`D:?(\d+):(\d+)`)

// turnsIn parses the authors' handwritten ids of turns: "D8:6; D9:17" is two,
// "D:11:26" is D11:26, "D30:05" is D30:5 and "D" is none.
func turnsIn(evidence []string) []string {
	var ids []string
	for _, text := range evidence {
		for _, match := range diaID.FindAllStringSubmatch(text, -1) {
			session, err1 := strconv.Atoi(match[1])
			turn, err2 := strconv.Atoi(match[2])
			if err1 == nil && err2 == nil {
				ids = append(ids, fmt.Sprintf("D%d:%d", session, turn))
			}
		}
	}
	return ids
}
