package answer

import (
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

func episodeSays(speaker, body string) passage {
	return passage{Citation: Citation{Kind: graph.KindEpisode, ID: uuid.New()}, speaker: speaker, body: body, more: "8 March 2024, 09:30"}
}

func factSays(body, dates string, over bool) passage {
	return passage{Citation: Citation{Kind: graph.KindFact, ID: uuid.New()}, body: body, more: dates, over: over}
}

func TestSupported(t *testing.T) {
	t.Parallel()
	lisbon := factSays("Alice lives in Lisbon.", "since March 2024", false)
	paris := factSays("Alice lives in Paris.", "from 10 January 2023 until 4 March 2024", true)
	porto := factSays("Bob lives in Porto.", "since 2020", false)
	moved := episodeSays("Alice", "Hi there! I moved to Lisbon last week, and my brother lives in Porto. I don't eat meat. Do you live in Madrid?")
	gift := factSays("Bob gave Carol 3 books on 4 May 2024.", "4 May 2024", false)
	met := episodeSays("Bob", "Ana met Eva. She lives in Rome.")
	met.people = people{}
	met.people.add("Ana Silva")
	met.people.add("Eva")
	she := episodeSays("Bob", "She chairs the board.")
	ofAna := she
	ofAna.about = "Ana Silva"
	both := episodeSays("Dora", "I not only paint but also dance.")
	employed := factSays("Alice is employed at Acme.", "from 2019 until May 2024", true)
	plan := factSays("Alice plans to visit Oslo.", "planned for 5 May 2030", false)
	for _, tt := range []struct {
		text  string
		cited []passage
		want  bool
	}{
		{"Alice lives in Lisbon.", []passage{lisbon}, true},
		{"Alice has lived in Lisbon since March 2024.", []passage{lisbon}, true},
		{"Alice lived in Paris until March 2024.", []passage{paris}, true},
		{"Alice moved to Lisbon.", []passage{moved}, true},
		{"Alice's brother lives in Porto.", []passage{moved}, true},
		{"Alice does not eat meat.", []passage{moved}, true},
		{"Alice said that she moved to Lisbon.", []passage{moved}, true},
		{"Eva moved to Graz in March 2024.", []passage{episodeSays("Eva", "I moved to Graz in March.")}, true},
		{"On 8 March 2024 Alice said that she moved to Lisbon.", []passage{moved}, true},
		{"Bob gave Carol three books on May 4th, 2024.", []passage{gift}, true},
		{"Alice plans to visit Oslo.", []passage{plan}, true},
		{"Alice lives in Lisbon and Bob lives in Porto.", []passage{lisbon, porto}, true},
		{"Alice lives in Lisbon. She has lived there since March 2024.", []passage{lisbon}, true},

		{"Eva lives in Rome.", []passage{met}, true},
		{"Ana Silva chairs the board.", []passage{ofAna}, true},
		{"Alice was employed at Acme until May 2024.", []passage{employed}, true},
		{"Alice is no longer employed at Acme.", []passage{employed}, true},

		{"Bob lives in Rome.", []passage{met}, false},
		{"Bob chairs the board.", []passage{she}, false},
		{"Bob chairs the board.", []passage{ofAna}, false},
		{"Dora does not paint.", []passage{both}, false},
		{"Alice is employed at Acme.", []passage{employed}, false},
		{"Alice is employed at Acme in 2024.", []passage{employed}, false},
		{"Alice lives in Lisbon.", nil, false},
		{"Alice lives in Porto.", []passage{lisbon}, false},
		{"Alice lives in Porto.", []passage{lisbon, porto}, false},
		{"Alice lives in Lisbon and in Porto.", []passage{lisbon, porto}, false},
		{"Alice lives in Lisbon. She lives in Porto.", []passage{lisbon, porto}, false},
		{"Alice works in Lisbon.", []passage{lisbon}, false},
		{"Alice does not live in Lisbon.", []passage{lisbon}, false},
		{"Alice might live in Lisbon.", []passage{lisbon}, false},
		{"Alice has lived in Lisbon since March 2023.", []passage{lisbon}, false},
		{"Alice lives in Paris.", []passage{paris}, false},
		{"Alice eats meat.", []passage{moved}, false},
		{"Alice lives in Porto.", []passage{moved}, false},
		{"Alice moved from Lisbon.", []passage{moved}, false},
		{"Alice lives in Madrid.", []passage{moved}, false},
		{"Carol gave Bob 3 books.", []passage{gift}, false},
		{"Bob gave Carol 4 books.", []passage{gift}, false},
		{"Alice visits Oslo.", []passage{plan}, false},
		{"Alice moved to Lisbon on 8 March 2024.", []passage{moved}, false},
		{"Eva moved to Graz in March 2023.", []passage{episodeSays("Eva", "I moved to Graz in March.")}, false},
		{"Alice is Bob.", []passage{factSays("Alice met Bob.", "", false)}, false},
		{"Alice.", []passage{lisbon}, false},
		{"Lisbon is the capital of Portugal.", []passage{lisbon}, false},
		{"Does Alice live in Lisbon?", []passage{lisbon}, false},
		{"", []passage{lisbon}, false},
	} {
		by, wrong := (&spokenAnswer{}).supported(tt.text, tt.cited)
		if (by != nil) != tt.want {
			t.Errorf("%q: supported by %v, missing %q; want %t", tt.text, by, wrong, tt.want)
		}
		if by == nil && wrong.why == "" {
			t.Errorf("%q: nobody says why", tt.text)
		}
	}
}

// Only the support of a sentence is cited, not everything the model named.
func TestCitesOnlyWhatSaysSo(t *testing.T) {
	t.Parallel()
	lisbon, porto := factSays("Alice lives in Lisbon.", "", false), factSays("Bob lives in Porto.", "", false)
	by, _ := (&spokenAnswer{}).supported("Alice lives in Lisbon.", []passage{porto, lisbon})
	if len(by) != 1 || by[0] != lisbon.Citation {
		t.Errorf("it cites %v, want %v", by, lisbon.Citation)
	}
}
