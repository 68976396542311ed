package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/input"
)

func (d *door) asking() {
	add(d, tool{
		name: "ask", title: "Answer a question", reads: true,
		about: "Answer a question from memory and from nothing else: each sentence names what it rests on, and what memory does not say is " +
			"cut. Without a model of its own it shows the passages that fit best. get_context is quicker where you answer yourself.",
	}, d.ask)
	addOne(d, tool{
		name: "keep_answer", title: "Keep a question answered",
		about: "Have memory keep a question answered, such as a profile of somebody with a schema: it is asked again whenever something bears on it " +
			"that was learned. get_answers shows all of them.",
	}, d.keepAnswer)
	addOne(d, tool{
		name: "get_answers", title: "Read standing answers", reads: true,
		about: "Read the questions that memory keeps answered, each with its answer and what that rests on.",
	}, d.answers)
	addOne(d, tool{
		name: "drop_answer", title: "Keep a question answered no longer", destroys: true,
		about: "Have memory keep a question answered no longer. What it said stays readable with known_at.",
	}, d.dropAnswer)
}

type askInput struct {
	Query string `json:"query" to:"-" minLength:"1" maxLength:"8192" doc:"the question"`
	OfGroups
	input.Times
	ToldBy string `json:"told_by,omitempty" to:"-"`
	input.Asking
	Tokens int `json:"tokens,omitempty" mcp:"max_tokens" minimum:"0" maximum:"1000000" default:"4000" doc:"how much of memory it is answered from, 100 to 32000"`
}

type askOutput struct {
	Form      string         `json:"form" jsonschema:"answer: sentences that memory says; passages: what fits best; unknown: nothing bears on it"`
	Text      string         `json:"text"`
	Sentences []sentenceView `json:"sentences"`
	Data      any            `json:"data,omitempty" jsonschema:"the values by the schema"`
	Missing   []string       `json:"missing,omitempty" jsonschema:"what the schema requires and nothing fills"`
	Without   string         `json:"without,omitempty" jsonschema:"which models did not answer, so that memory was searched without them"`
	Cut       int            `json:"cut" jsonschema:"how many sentences and values were cut because memory does not say so"`
}

type sentenceView struct {
	Text  string   `json:"text"`
	Cites []string `json:"cites" jsonschema:"what it rests on: fact 01a1fd35-…"`
}

func (d *door) ask(ctx context.Context, in askInput) (askOutput, error) {
	c, groups, err := d.several(ctx, in.GroupIDs)
	if err != nil {
		return askOutput{}, err
	}
	at := annals.QueryInput{Query: in.Query, AlsoIn: groups[1:], AsOf: in.AsOf, KnownAt: in.KnownAt, ToldBy: tellers(in.ToldBy)}
	query, err := at.In(groups[0], nil)
	if err != nil {
		return askOutput{}, err
	}
	q, err := input.Read(in.Asking, annals.Question{Query: query, Tokens: in.Tokens})
	if err != nil {
		return askOutput{}, err
	}
	got, err := c.Ask(ctx, q)
	if err != nil {
		return askOutput{}, err
	}
	return viewOfAnswer(got), nil
}

func viewOfAnswer(got annals.Answer) askOutput {
	out := askOutput{Form: got.Form, Text: got.Text, Sentences: []sentenceView{}, Missing: got.Missing, Without: got.SearchedWithout(), Cut: got.Cut}
	for _, s := range got.Sentences {
		view := sentenceView{Text: s.Text, Cites: []string{}}
		for _, cited := range s.Cites {
			view.Cites = append(view.Cites, string(cited.Kind)+" "+cited.ID.String())
		}
		out.Sentences = append(out.Sentences, view)
	}
	if got.Data != nil {
		out.Data = got.Data
	}
	return out
}

func (o askOutput) say() string {
	safe := fence.New()
	lines := each.Of(o.Sentences, func(s sentenceView) string {
		line := "- " + safe.Line(s.Text)
		for _, cited := range s.Cites {
			line += " [" + cited + "]"
		}
		return line
	})
	title := ""
	switch o.Form {
	case "passages":
		title = "No model answered; these passages fit best:"
	case "unknown":
		title = o.Text
	}
	said := strings.TrimSuffix(section(title, "ANSWER", lines)+"\n"+o.Without, "\n")
	if o.Data != nil {
		data, err := json.Marshal(o.Data)
		if err == nil {
			said += "\nvalues: " + safe.Line(string(data))
		}
	}
	return said
}
