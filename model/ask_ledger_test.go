package model_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

func TestAnswersFromTheLedger(t *testing.T) {
	t.Parallel()
	s := modeltest.NewServer(t, says(modeltest.Reply{JSON: ada}))
	ledger := &modeltest.Ledger{}
	l := open(t, model.Config{BaseURL: s.URL, Prices: model.Prices{"openai:scripted": {Input: 1}}}).With(ledger)
	inGroup := func(id string) context.Context { return model.WithSubject(t.Context(), model.Subject{GroupID: id}) }
	for range 2 {
		got, err := ask(inGroup("a"), l)
		if diff := cmp.Diff(ada, got); diff != "" || err != nil {
			t.Errorf("error %v, answer (-want +got):\n%s", err, diff)
		}
	}
	if s.Chats() != 1 {
		t.Errorf("the same question was asked %d times", s.Chats())
	}
	if hit := ledger.Calls()[1]; !hit.FromCache || hit.InputTokens+hit.OutputTokens != 0 || hit.Cost == nil || *hit.Cost != 0 {
		t.Errorf("the hit is recorded as %+v", hit)
	}
	if _, err := ask(inGroup("b"), l); err != nil || s.Chats() != 2 {
		t.Errorf("another group is given the answer: %d calls, error %v", s.Chats(), err)
	}
	another := question
	another.Version++
	if _, err := model.Ask[people](inGroup("a"), l, another, nil); err != nil || s.Chats() != 3 {
		t.Errorf("another version of the prompt is given the answer: %d calls, error %v", s.Chats(), err)
	}
	young := func(p *people) error {
		if s.Chats() == 3 {
			return errors.New("Ada must be under 30")
		}
		return nil
	}
	if _, err := model.Ask(inGroup("a"), l, question, young); err != nil || s.Chats() != 4 {
		t.Errorf("an answer that no longer passes is given: %d calls, error %v", s.Chats(), err)
	}
}

func TestLedgerErrorsFailTheCall(t *testing.T) {
	t.Parallel()
	s := modeltest.NewServer(t, says(modeltest.Reply{JSON: ada}))
	lost := errors.New("disk full")
	for _, ledger := range []*modeltest.Ledger{{AnswerErr: lost}, {RecordErr: lost}} {
		if _, err := ask(t.Context(), open(t, model.Config{BaseURL: s.URL}).With(ledger)); !errors.Is(err, lost) {
			t.Errorf("error %v, want %v", err, lost)
		}
	}
	if s.Chats() != 1 {
		t.Errorf("%d calls, want only that of which the recording fails", s.Chats())
	}
	down := modeltest.NewServer(t, says(modeltest.Reply{Status: 401}))
	_, err := ask(t.Context(), open(t, model.Config{BaseURL: down.URL}).With(&modeltest.Ledger{RecordErr: lost}))
	if call, ok := errors.AsType[*model.CallError](err); !ok || call.Status != 401 || !errors.Is(err, lost) {
		t.Errorf("error %v, want both", err)
	}
}
