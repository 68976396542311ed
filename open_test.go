package annals_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/model"
)

// In a database that another tool migrated, vectors may have no dimension yet: the first program
// that opens it sets that of its embedder.
func TestTheFirstToOpenFixesTheDimension(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	text, err := migrations.SQL(0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	fix := fmt.Sprintf("PERFORM annals_internal.fix_embedding_dimension(%d);", migrations.DefaultEmbeddingDim)
	without := strings.Replace(text, fix, "NULL;", 1)
	if without == text {
		t.Fatal("the script no longer fixes the dimension")
	}
	if _, err := clienttest.Dial(t, url).Exec(t.Context(), without); err != nil {
		t.Fatal(err)
	}
	small, err := model.NewHashEmbedder(16)
	if err != nil {
		t.Fatal(err)
	}
	client := clienttest.Open(t, annals.Config{DatabaseURL: url, Embedder: small})
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"))
	if same, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url}); err != nil {
		t.Errorf("with the offline embedder: %v", err)
	} else {
		same.Close()
	}
	large, err := model.NewHashEmbedder(32)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url, Embedder: large}); annals.CodeOf(err) != annals.CodeConflict {
		t.Errorf("with another dimension: %v, want a conflict", err)
	}
}

// A database without some migrations is refused, with what to do.
func TestHalfMigrated(t *testing.T) {
	t.Parallel()
	url := pgtest.Empty(t)
	text, err := migrations.SQL(1, 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, statements := range []string{"SELECT 1", text} {
		if _, err := clienttest.Dial(t, url).Exec(t.Context(), statements); err != nil {
			t.Fatal(err)
		}
		client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url})
		if annals.CodeOf(err) != annals.CodeConflict || !strings.Contains(err.Error(), "run 'annals migrate up'") {
			t.Errorf("Open = %v, %v; want to be told to migrate", client, err)
		}
	}
}

// Without a database in Config, the error names the missing setting, not a server that does not answer.
func TestOpenWithoutADatabase(t *testing.T) {
	t.Parallel()
	_, err := annals.Open(t.Context(), annals.Config{})
	if annals.CodeOf(err) != annals.CodeInvalid || !strings.Contains(err.Error(), "DatabaseURL or Pool") {
		t.Errorf("%v", err)
	}
}
