package retrieval

import (
	"math"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// conversationOf is a conversation of messages with so many terms each.
func conversationOf(lengths ...int32) ([]uuid.UUID, surroundings) {
	ids := make([]uuid.UUID, len(lengths))
	rows := make([]db.EpisodesAroundRow, len(lengths))
	for i, length := range lengths {
		ids[i] = uuid.UUID{byte(i + 1)}
		rows[i] = db.EpisodesAroundRow{ID: ids[i], Length: length, ThreadID: "t"}
	}
	return ids, surroundingsOf(rows, ids, true)
}

// A message and its neighbours are one document, whose fields count by their weights.
func TestWordsInContextAreBM25F(t *testing.T) {
	t.Parallel()
	ids, around := conversationOf(4, 8, 6, 10)
	words := []db.EpisodeWordsRow{
		{Weight: 1, Holders: 3, Ids: []uuid.UUID{ids[0], ids[2]}, Tf: []int32{2, 1}},
		{Weight: 0.3, Holders: 20, Ids: []uuid.UUID{ids[3]}, Tf: []int32{1}},
	}
	got := wordsInContext(words, around, 100, 700)
	okapi := func(holders, tf, length float64) float64 {
		return math.Log(1+(100-holders+0.5)/(holders+0.5)) * tf * 2.2 / (tf + 1.2*(0.25+0.75*length/(7*2.25)))
	}
	want := []float64{
		okapi(3, 2, 4+0.5*8),
		okapi(3, 0.5*2+0.5*1, 8+0.5*4+0.5*6),
		okapi(3, 1+0.25*2, 6+0.5*8+0.25*4+0.5*10) + 0.3*okapi(20, 0.5, 6+0.5*8+0.25*4+0.5*10),
		okapi(3, 0.5*1, 10+0.5*6+0.25*8) + 0.3*okapi(20, 1, 10+0.5*6+0.25*8),
	}
	for i, id := range ids {
		if math.Abs(got[id]-want[i]) > 1e-9 {
			t.Errorf("message %d scores %g, want %g", i, got[id], want[i])
		}
	}
}

// A long text does not hide the remark on it, adds few of its words to it, and counts less if it is
// an assistant's.
func TestALongTextHidesNoRemark(t *testing.T) {
	t.Parallel()
	ids, around := conversationOf(14, 6)
	text, remark := ids[0], ids[1]
	scores := func(holders ...uuid.UUID) map[uuid.UUID]float64 {
		tf := make([]int32, len(holders))
		for i := range tf {
			tf[i] = 1
		}
		return wordsInContext([]db.EpisodeWordsRow{{Weight: 1, Holders: 2, Ids: holders, Tf: tf}}, around, 100, 700)
	}
	short := scores(remark)[remark]
	around[text].Length = 3000
	if long := scores(remark)[remark]; long != short {
		t.Errorf("a remark scores %g after a text of 14 terms, %g after one of 3,000", short, long)
	}
	lent := scores(text)
	if lent[remark] >= lent[text] {
		t.Errorf("a text scores %g by its own word, the remark on it %g", lent[text], lent[remark])
	}
	around[text].Role = "assistant"
	if by := scores(text); by[text] >= lent[text] {
		t.Errorf("an assistant's text scores %g, a person's %g", by[text], lent[text])
	}
}
