package construct

import (
	"fmt"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// Queue lists the hits of a result in the order in which the default form takes them: f0 is the
// first fact.
func Queue(r retrieval.Result) (marks []string) {
	letters := map[graph.Kind]string{graph.KindFact: "f", graph.KindEntity: "n", graph.KindCommunity: "c", graph.KindEpisode: "e"}
	f, err := Construction{}.form()
	if err != nil {
		panic(err)
	}
	for _, h := range (Construction{}).newChoice(f, nil, r).queue() {
		marks = append(marks, fmt.Sprintf("%s%d", letters[h.kind], h.index))
	}
	return marks
}
