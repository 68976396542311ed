// Package locomo reads LoCoMo (Maharana et al., Evaluating Very Long-Term
// Conversational Memory of LLM Agents, arXiv 2402.17753) in its own format and
// turns conversations into JSON lines that `annals add` takes. The data is
// CC BY-NC 4.0 and no part of Annals.
package locomo

import (
	"bufio"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/eval/datafile"
)

// Conversation is a sample: the sessions of two speakers, and questions about
// them.
type Conversation struct {
	SampleID  string
	Speakers  [2]string
	Sessions  []Session // in order
	Questions []Question
}

// Session is a session of the conversation.
type Session struct {
	Number int
	At     time.Time // start, taken as UTC
	Turns  []Turn
}

// Turn is one utterance.
type Turn struct {
	Speaker string `json:"speaker"`
	DiaID   string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"` // caption of a shared picture
}

// How session dates are written: 1:56 pm on 8 May, 2023.
const dateLayout = "3:04 pm on 2 January, 2006"

// Load reads a file of conversations, gzipped or not.
func Load(path string) ([]Conversation, error) { return datafile.Load(path, Read) }

// Read reads conversations.
func Read(r *bufio.Reader) ([]Conversation, error) {
	var samples []struct {
		SampleID     string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
		QA           []Question                 `json:"qa"`
	}
	if err := json.NewDecoder(r).Decode(&samples); err != nil {
		return nil, fmt.Errorf("is not LoCoMo's JSON: %w", err)
	}
	conversations := make([]Conversation, len(samples))
	for i, s := range samples {
		sessions, err := readSessions(s.Conversation)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.SampleID, err)
		}
		speakers, err := readSpeakers(s.Conversation)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.SampleID, err)
		}
		conversations[i] = Conversation{SampleID: s.SampleID, Speakers: speakers, Sessions: sessions, Questions: s.QA}
	}
	return conversations, nil
}

func readSpeakers(parts map[string]json.RawMessage) (speakers [2]string, err error) {
	for i, key := range []string{"speaker_a", "speaker_b"} {
		if err := json.Unmarshal(parts[key], &speakers[i]); err != nil {
			return speakers, fmt.Errorf("%s is no name: %w", key, err)
		}
	}
	return speakers, nil
}

// readSessions reads the keys session_N and session_N_date_time.
func readSessions(parts map[string]json.RawMessage) ([]Session, error) {
	var sessions []Session
	for key, raw := range parts {
		number, err := strconv.Atoi(strings.TrimPrefix(key, "session_"))
		if err != nil {
			continue // a speaker's name or a date
		}
		session := Session{Number: number}
		if err := json.Unmarshal(raw, &session.Turns); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		var date string
		if err := json.Unmarshal(parts[key+"_date_time"], &date); err != nil {
			return nil, fmt.Errorf("%s has no date: %w", key, err)
		}
		if session.At, err = time.Parse(dateLayout, date); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		sessions = append(sessions, session)
	}
	sort.Slice(sessions, func(i, j int) bool { return sessions[i].Number < sessions[j].Number })
	return sessions, nil
}
