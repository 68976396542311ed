package migrations_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/annalsdb/annals/migrations"
)

// The embedded archive equals the files beside this one; make generate packs them.
func TestTheMigrationsArePacked(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.sql")
	if err != nil {
		t.Fatal(err)
	}
	packed, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil || !slices.Equal(packed, files) {
		t.Fatalf("packed are %q, want %q (%v)", packed, files, err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fs.ReadFile(migrations.FS, file); err != nil || string(got) != string(want) {
			t.Errorf("%s is not packed as it is (%v): run make generate", file, err)
		}
	}
}
