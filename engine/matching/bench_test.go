package matching_test

import (
	"testing"

	"github.com/annalsdb/annals/engine/matching"
)

func BenchmarkCompare(b *testing.B) {
	person := []string{"Person"}
	pairs := map[string][2]matching.Record{
		"equal":     {{Names: []string{"Caroline Smith"}, Labels: person}, {Names: []string{"caroline smith"}, Labels: person}},
		"shorter":   {{Names: []string{"Mike"}, Labels: person}, {Names: []string{"Michael Berg"}, Labels: person}},
		"different": {{Names: []string{"Ross Geller"}, Labels: person}, {Names: []string{"Monica Geller"}, Labels: person}},
		"thing":     {{Names: []string{"University of Lisbon"}}, {Names: []string{"Universty of Lisbon"}}},
		"accents":   {{Names: []string{"José Ibáñez"}, Labels: person}, {Names: []string{"Jose Ibanez"}, Labels: person}},
		"attributes": {
			{Names: []string{"Ann Lee"}, Attributes: map[string]string{"born": "1979-11-12", "city": "Oslo"}},
			{Names: []string{"Ann Lee"}, Attributes: map[string]string{"born": "1979-11-12", "city": "Bergen"}},
		},
	}
	for name, p := range pairs {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				matching.Compare(p[0], p[1])
			}
		})
	}
}
