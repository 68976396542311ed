package annals_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
)

// Ten calls are enough for most applications.
func Example_tenCalls() {
	url, drop := pgtest.Example()
	defer drop()
	if err := tenCalls(context.Background(), url); err != nil {
		log.Fatal(err)
	}
	// Output:
	// What is known; (…) first in a line says when it holds.
	// <FACTS>
	// - (known since 10 January 2023) Alice lives in Paris.
	// </FACTS>
	// Alice lives in Paris. known since 10 January 2023
	// Alice lives in Paris. (known since 10 January 2023)
	// facts on 1 June: 1
	// episodes undone: 1
	// erased: group
}

// tenCalls is the code in the README, which omits the handling of errors.
func tenCalls(ctx context.Context, url string) error {
	// 1. Open a database that 'annals migrate up' has prepared.
	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		return err
	}
	defer client.Close()

	// 2. Store what was said. It survives a crash from here on.
	said := time.Date(2023, 1, 10, 0, 0, 0, 0, time.UTC)
	stored, err := client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris.", OccurredAt: said})
	if err != nil {
		return err
	}

	// 3. Read what waits into the graph. A service calls worker.Run instead, once, in the background.
	err = client.Process(ctx, "alice", nil)
	if err != nil {
		return err
	}

	// 4. Get what a prompt needs, as one text.
	question := annals.Query{GroupID: "alice", Text: "Where does Alice live?"}
	text, err := client.Context(ctx, question)
	if err != nil {
		return err
	}
	fmt.Print(text)

	// 5. Search: found.Facts, found.Entities, found.Episodes, found.Communities.
	found, err := client.Search(ctx, question)
	if err != nil {
		return err
	}
	fmt.Println(found.Facts[0].Told(), found.Facts[0].When(time.Now()))

	// 6. Ask. Each sentence of the answer names the facts and episodes that it rests on.
	answer, err := client.Ask(ctx, annals.Question{Query: question})
	if err != nil {
		return err
	}
	fmt.Println(answer.Text)

	// 7. List what held at a time. KnownAt asks what was believed at a time.
	june := time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "alice", ValidAt: june})
	if err != nil {
		return err
	}
	fmt.Println("facts on 1 June:", len(facts))

	// 8. Withdraw a fact that was never true. The history keeps it.
	err = client.WithdrawFact(ctx, "alice", facts[0].ID)
	if err != nil {
		return err
	}

	// 9. Undo a message: the group then believes what it would believe without it.
	undone, err := client.Undo(ctx, "alice", stored.ID)
	if err != nil {
		return err
	}
	fmt.Println("episodes undone:", undone.Episodes)

	// 10. Erase a group, an entity or some episodes from every table. This cannot be undone.
	certificate, err := client.Erase(ctx, annals.Erasure{GroupID: "alice"})
	if err != nil {
		return err
	}
	fmt.Println("erased:", certificate.Scope)
	return nil
}

// The README shows the code of the example, without the handling of errors.
func TestTheReadmeShowsTheTenCalls(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("example_ten_calls_test.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(source), "url string) error {\n")
	code, _, _ = strings.Cut(code, "\treturn nil\n}")
	code = strings.ReplaceAll(code, "\tif err != nil {\n\t\treturn err\n\t}\n", "")
	code = strings.ReplaceAll(strings.TrimPrefix(code, "\t"), "\n\t", "\n")
	_, shown, _ := strings.Cut(string(page), "## Ten calls\n")
	_, shown, _ = strings.Cut(shown, "```go\n")
	shown, _, _ = strings.Cut(shown, "```\n")
	if diff := cmp.Diff(code, shown); diff != "" {
		t.Errorf("the README has other calls (-example +README):\n%s", diff)
	}
}
