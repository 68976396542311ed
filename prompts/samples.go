package prompts

import (
	"time"

	"github.com/annalsdb/annals/temporal"
)

// samples are the questions that Show renders, by name.
var samples = map[string]question{
	"agent_advice": AgentAdvice{Question: "Who wrote the Lusiads?"},
	"agent_step":   sampleAgentStep,
	"answer_question": AnswerQuestion{
		Question: "Where does Bob work?", AskedAt: sampleTime,
		Passages: []string{"(since 29 April 2024) Bob started at Globex.", "(1 May 2024) Alice: I quit Acme last week."},
		Slots:    []Slot{{Name: "employer", Type: "string", Description: "where he works now"}, {Name: "status", Type: "string", Values: "employed, looking"}},
	},
	"consolidate_blocks": ConsolidateBlocks{Blocks: sampleAgentStep.Blocks[:1], Messages: []string{
		"2024-05-01 10:00:00 UTC Alice: I quit Acme last week.", "2024-05-01 10:00:09 UTC I said: What now?",
	}},
	"derive_observations": DeriveObservations{Subjects: []ObservedSubject{{Name: "Alice", Facts: []ObservedFact{
		{ID: 1, Predicate: "BOOKED", Fact: "Alice booked an aisle seat to Lisbon.", When: "on 3 March 2024"},
		{ID: 2, Predicate: "ASKED_FOR", Fact: "Alice asked for an aisle seat.", When: "on 1 May 2024"},
	}}}},
	"word_skill": WordSkill{
		Tasks: []string{"Deploy billing to staging"}, Steps: []string{"shell git pull", "shell helm upgrade"}, Preconditions: []string{"helm: 4.0"},
		Pitfalls: []string{"shell helm upgrade billing: unknown flag --atomic"},
	},
	"summarise_queue": SummariseQueue{Summary: "Alice told me that she looks for another job.", Words: 100, Messages: []string{
		"2024-05-01 10:00:00 UTC Alice: I quit Acme last week.", "2024-05-01 10:00:09 UTC I said: What now?",
	}},
	"extract_entities":        sampleExtractEntities(sampleMessage),
	"extract_entities_json":   sampleExtractEntities(sampleJSON),
	"extract_entities_text":   sampleExtractEntities(sampleText),
	"extract_entities_window": sampleExtractEntities(sampleWindow),
	"review_entities":         ReviewEntities{ExtractEntities: sampleExtractEntities(sampleMessage), Entities: sampleEntities},
	"resolve_entities":        sampleResolveEntities,
	"extract_facts":           sampleExtractFacts(sampleMessage),
	"extract_facts_window":    sampleExtractFacts(sampleWindow),
	"resolve_facts":           sampleResolveFacts,
	"extract_dates":           ExtractDates{Fact: "Alice has worked at Globex since Monday.", OccurredAt: sampleTime},
	"summarise_entities":      sampleSummariseEntities,
	"summarise_members":       sampleSummariseMembers,
	"combine_summaries":       sampleCombineSummaries,
	"name_community": NameCommunity{
		Members: []string{"Alice", "Globex", "Bob"}, Summary: "Alice and Bob test rockets at Globex.",
	},
	"summarise_thread": sampleSummariseThread,
	"rerank": Rerank{
		Query: "Where does Bob work?", Passages: []string{"Bob started at Globex on Monday.", "Alice quit Acme last week.", "Globex builds rockets."},
	},
}

var sampleAgentStep = AgentStep{
	Name: "Sam", Instructions: "Be brief.", Evicted: 42, Passages: 7,
	Blocks: []AgentBlock{
		{Label: "human", Description: "Who the user is.", Value: "Alice. Works at Acme.", Used: 21, Limit: 2000},
		{Label: "rules", Value: "Be kind.", Used: 8, Limit: 2000, ReadOnly: true},
	},
	Answers:   []AgentAnswer{{Question: "What does Alice look for?", Text: "Alice looks for another job."}},
	Files:     []AgentFile{{Name: "contract.txt", Lines: 120}},
	Open:      []AgentOpenFile{{Name: "contract.txt", First: 3, Last: 4, Text: "Notice is given in writing,\na month ahead."}},
	Retrieved: "Alice works at Acme since 2020.",
}

var sampleTime = time.Date(2024, time.May, 1, 10, 0, 0, 0, time.UTC)

var sampleMessage = Episode{
	Source: "message", Speaker: "Alice", Role: "user", Description: "support chat", OccurredAt: sampleTime,
	Content:      "Yes, he started at Globex on Monday. I quit Acme last week.",
	Previous:     []Message{{Speaker: "Carol", Content: "Is Bob in town?", OccurredAt: sampleTime.Add(-time.Minute)}},
	Known:        []TimedFact{{"Bob is looking for a job.", "known since 2 April 2024"}},
	Instructions: "Jobs and moves matter most.",
}

var sampleText = Episode{
	Source: "text", Description: "press release", Speaker: "Carol", OccurredAt: sampleTime,
	Content: "Globex of Springfield has hired Bob Stone as head of testing.",
}

var sampleJSON = Episode{
	Source: "json", Description: "staff directory", OccurredAt: sampleTime,
	Content: `{"id": 17, "name": "Bob Stone", "employer": "Globex", "since": "2024-04-29"}`,
}

var sampleWindow = Episode{
	Source: "message", Description: "team chat", OccurredAt: sampleTime,
	Window: []Message{
		{Speaker: "Alice", Content: "Bob started at Globex on Monday.", OccurredAt: sampleTime},
		{Speaker: "Carol", Content: "Good for him!", OccurredAt: sampleTime.Add(time.Minute)},
	},
}

var sampleEntities = []NamedEntity{{ID: 1, Name: "Alice", Label: "Person"}, {ID: 2, Name: "Bob", Label: "Person"}, {ID: 3, Name: "Globex"}}

func sampleExtractEntities(e Episode) ExtractEntities {
	return ExtractEntities{
		Episode: e,
		Types: []EntityType{
			{Name: "Person", Description: "a human being", Attributes: []AttributeType{
				{Name: "born", Kind: "date", Description: "day of birth"},
				{Name: "status", Kind: "string", Values: []string{"employed", "looking"}},
			}},
			{Name: "Company"},
		},
		Excluded: []string{"Place"},
	}
}

func sampleExtractFacts(e Episode) ExtractFacts {
	return ExtractFacts{
		Episode: e, Entities: sampleEntities,
		Types: []FactType{{
			Name: "WORKS_AT", Description: "somebody is employed there", Pairs: []TypePair{{Source: "Person", Target: "Company"}},
			Attributes: []AttributeType{{Name: "position", Kind: "string", Description: "what they do there"}},
		}},
	}
}

var sampleResolveEntities = ResolveEntities{
	Episode: sampleMessage,
	Entities: []UnresolvedEntity{
		{ID: 2, Name: "Bob", Label: "Person", Candidates: []EntityCandidate{
			{ID: 1, Name: "Robert Stone", Aliases: []string{"Bobby"}, Labels: []string{"Person"}, Summary: "Robert Stone tests rockets."},
			{ID: 2, Name: "Bob the Builder"},
		}},
		{ID: 3, Name: "Globex", Candidates: []EntityCandidate{{ID: 1, Name: "Globex Corporation", Labels: []string{"Company"}}}},
	},
}

var sampleResolveFacts = ResolveFacts{
	Episode: sampleMessage,
	Existing: []KnownFact{
		{
			ID: 1, Pairs: []Pair{{"Bob", "WORKS_AT", "Globex"}}, Fact: "Bob is to work at Globex.", Kind: State,
			Valid: temporal.Validity{Interval: temporal.Interval{Start: sampleTime}, From: temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheDay}},
		},
		{
			ID: 2, Pairs: []Pair{{"Alice", "WORKS_AT", "Acme"}, {"Carol", "WORKS_AT", "Acme"}}, Fact: "Alice and Carol work at Acme.", Kind: State,
			Valid: temporal.SaidSince(sampleTime),
		},
	},
	Facts: []UnresolvedFact{
		{
			KnownFact: KnownFact{ID: 3, Pairs: []Pair{{"Bob", "WORKS_AT", "Globex"}}, Fact: "Bob started at Globex on Monday.", Kind: State},
			SamePair:  []int{1},
		},
		{
			KnownFact: KnownFact{ID: 4, Pairs: []Pair{{"Alice", "NO_LONGER_WORKS_AT", "Acme"}}, Fact: "Alice quit Acme last week.", Kind: Event},
			Ends:      true, SamePair: []int{2}, Rivals: []int{3}, Rejected: []int{5},
		},
	},
	Rejected: []RejectedFact{{ID: 5, Fact: "Alice was dismissed by Acme."}},
}

var sampleSummariseEntities = SummariseEntities{Entities: []EntityToSummarise{
	{
		ID: 1, Name: "Alice", Facts: []TimedFact{{"Alice lives in Lisbon.", "since 6 March 2024"}},
		Gone: []TimedFact{{"Alice works at Acme.", "from 2021 until 1 March 2024"}}, Limit: 500,
	},
	{ID: 2, Name: "Bob", Summary: "Bob likes chess.", Facts: []TimedFact{{"Bob works at Globex.", "since 4 March 2024"}}, Limit: 500},
}}

var sampleSummariseMembers = SummariseMembers{
	Members: []Member{{Name: "Alice", Summary: "Alice tests rockets at Globex."}, {Name: "Globex", Summary: "Globex builds rockets."}},
	Limit:   300,
}

var sampleCombineSummaries = CombineSummaries{
	Summaries: []string{"Alice tests rockets at Globex.", "Globex builds rockets in Springfield."}, Limit: 300,
}

var sampleSummariseThread = SummariseThread{
	Summary:  "Carol asked Alice about Bob.",
	Messages: []Message{{Speaker: "Alice", Content: "Bob started at Globex on Monday.", OccurredAt: sampleTime}},
	Limit:    400,
}
