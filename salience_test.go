package annals_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
)

// Recent mentions count more than many old ones, with exact scores, for each user separately, and
// differently at another time.
func TestWhatAUserCaresAbout(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn := clienttest.Dial(t, url)
	now := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	mention := func(group, whom string, daysAgo int) {
		t.Helper()
		if _, err := client.Add(t.Context(), annals.Episode{
			GroupID: group, Actor: "Eva", Content: "I met " + whom + ".", OccurredAt: now.AddDate(0, 0, -daysAgo),
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, days := range []int{120, 120, 120} { // 3 · 2⁻⁴
		mention("eva", "Marta", days)
	}
	mention("eva", "Oskar", 30) // 2⁻¹
	mention("eva", "Pavel", 0)  // 1
	mention("tom", "Marta", 0)
	for _, group := range []string{"eva", "tom"} {
		if err := client.Process(t.Context(), group, nil); err != nil {
			t.Fatal(err)
		}
	}
	ranked := func(at string) string {
		return psql(t, url, `SELECT name, mentions, round(salience::numeric, 4) FROM annals.salient_entities('eva', '30 days', '`+at+`')
			WHERE name IN ('Marta', 'Oskar', 'Pavel');`)
	}
	if diff := cmp.Diff("Pavel|1|1.0000\nOskar|1|0.5000\nMarta|3|0.1875", ranked("2024-05-01T12:00:00Z")); diff != "" {
		t.Errorf("now (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("Marta|3|3.0000", ranked("2024-01-02T12:00:00Z")); diff != "" { // as of an earlier time
		t.Errorf("in January (-want +got):\n%s", diff)
	}
	for arguments, want := range map[string]string{
		`half_life => '0'`:      "half_life: is 00:00:00; it must be longer than nothing",
		`half_life => '-1 day'`: "half_life: is -1 days; it must be longer than nothing",
		`at => 'infinity'`:      "at: is infinity; years 1 to 9999 can be stored",
		`at => '0044-03-15 BC'`: "at: is 0044-03-15 00:00:00+00 BC; years 1 to 9999 can be stored",
	} {
		var pg *pgconn.PgError
		_, err := conn.Exec(t.Context(), "SET timezone = 'UTC'; SELECT * FROM annals.salient_entities('eva', "+arguments+")")
		if !errors.As(err, &pg) || pg.Code != "22023" || pg.Message != want {
			t.Errorf("%s: %v; want %q", arguments, err, want)
		}
	}
	if left := psql(t, url, `SELECT count(*) FROM annals.salient_entities('eva', NULL, NULL, NULL) WHERE salience > 0`); left != "4" {
		t.Errorf("with NULL for what is left out there are %s entities", left)
	}
	got := psql(t, url, `SELECT name, mentions FROM annals.entity_knowledge WHERE group_id = 'eva' AND name IN ('Marta', 'Oskar', 'Pavel') ORDER BY salience DESC;`)
	if diff := cmp.Diff("Pavel|1\nOskar|1\nMarta|3", got); diff != "" {
		t.Errorf("by the view (-want +got):\n%s", diff)
	}
	stream := psql(t, url, `SELECT occurred_at::date, entity FROM annals.memory_stream WHERE group_id = 'eva' AND entity <> 'Eva' ORDER BY occurred_at DESC;`)
	if !strings.HasPrefix(stream, "2024-05-01|Pavel\n2024-04-01|Oskar\n2024-01-02|Marta") || strings.Count(stream, "\n") != 4 {
		t.Errorf("the stream is\n%s", stream)
	}
}
