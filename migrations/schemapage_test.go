package migrations_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/pgtest"
)

var update = flag.Bool("update", false, "write docs/schema.md and objects.txt anew")

const schemaPage = "../docs/schema.md"

// docs/schema.md shows the objects of the migrations with their comments.
func TestSchemaPage(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	relations, objects := read[relation](t, conn, selectRelations), read[object](t, conn, selectObjects)
	slices.SortFunc(objects, func(a, b object) int { return cmp.Compare(a.Definition, b.Definition) })
	text, err := os.ReadFile(schemaPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	files := sections(t)
	page = replacePart(t, page, "picture", picture(files, relations))
	page = replacePart(t, page, "tables", tables(t, files, relations, objects))
	if *update {
		if err := os.WriteFile(schemaPage, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := diff.Diff(page, string(text)); d != "" {
		t.Errorf("%s is stale; write it anew with go test ./migrations -run TestSchemaPage -update (-migrations +page):\n%s", schemaPage, d)
	}
}

// replacePart puts text between <!-- name --> and <!-- /name -->.
func replacePart(t *testing.T, page, name, text string) string {
	t.Helper()
	before, rest, begun := strings.Cut(page, "<!-- "+name+" -->\n")
	_, after, ended := strings.Cut(rest, "<!-- /"+name+" -->\n")
	if !begun || !ended {
		t.Fatalf("%s has no part <!-- %s --> … <!-- /%s -->", schemaPage, name, name)
	}
	return fmt.Sprintf("%s<!-- %s -->\n%s<!-- /%s -->\n%s", before, name, text, name, after)
}

// picture draws the tables of the schema annals with their keys. To stay
// readable it omits references to groups from tables that refer to others as
// well.
func picture(files []section, relations []relation) string {
	var boxes, arrows strings.Builder
	for _, s := range files {
		for _, r := range of(s, relations, nameOfRelation) {
			if r.View || r.Schema != "annals" {
				continue
			}
			fmt.Fprintf(&boxes, "    %s {\n%s    }\n", r.Name, keys(r))
			for _, ref := range r.References {
				if ref.To != "groups" || len(r.References) == 1 {
					fmt.Fprintf(&arrows, "    %s ||--o{ %s : %q\n", ref.To, r.Name, label(ref))
				}
			}
		}
	}
	return "```mermaid\n" + dense + "erDiagram\n    direction LR\n" + boxes.String() + arrows.String() + "```\n"
}

// dense draws the tables closer together than mermaid's default.
const dense = `%%{init: {"er": {"nodeSpacing": 20, "rankSpacing": 70}}}%%` + "\n"

// label names the column of a reference if the tables alone do not identify it.
func label(ref reference) string {
	switch column := ref.Columns[len(ref.Columns)-1]; column {
	case "source_id", "target_id", "merged_into":
		return column
	default:
		return ""
	}
}

// keys lists the columns of a table's keys, without the leading group_id if
// there are others.
func keys(r relation) string {
	foreign := map[string]bool{}
	for _, ref := range r.References {
		for _, name := range ref.Columns {
			foreign[name] = true
		}
	}
	var lines strings.Builder
	for _, c := range r.Columns {
		var marks []string
		if slices.Contains(r.Key, c.Name) {
			marks = append(marks, "PK")
		}
		if foreign[c.Name] {
			marks = append(marks, "FK")
		}
		if len(marks) > 0 && (c.Name != "group_id" || len(r.Key) < 2) {
			fmt.Fprintf(&lines, "        %s %s %s\n", short(c.Type), c.Name, strings.Join(marks, ", "))
		}
	}
	return lines.String()
}

// tables describes every migration: its types, tables, views and functions.
func tables(t *testing.T, files []section, relations []relation, objects []object) string {
	t.Helper()
	var page strings.Builder
	described := 0
	for i, s := range files {
		fmt.Fprintf(&page, "\n## %d. %s\n\n%s See [%s](../migrations/%s).\n", i+1, title(s.file), s.about, s.file, s.file)
		made := of(s, objects, nameOfObject)
		functions := slices.DeleteFunc(slices.Clone(made), func(o object) bool { return o.Kind != "FUNCTION" })
		types := slices.DeleteFunc(slices.Clone(made), func(o object) bool { return o.Kind != "TYPE" })
		list(&page, "Types", types, func(o object) string {
			return fmt.Sprintf("`%s` (%s): %s", named(o.Schema, o.Name), o.Definition, o.Comment)
		})
		for _, r := range of(s, relations, nameOfRelation) {
			describe(&page, r)
			described++
		}
		list(&page, "Functions", functions, func(o object) string {
			return fmt.Sprintf("`%s(%s`: %s", named(o.Schema, o.Name), strings.TrimSpace(short(o.Definition)), o.Comment)
		})
		described += len(made)
	}
	if all := len(relations) + len(objects); described != all {
		t.Errorf("the page describes %d objects, and the schema has %d: the pattern for CREATE misses some", described, all)
	}
	return page.String()
}

// describe writes a table or a view with its columns.
func describe(page *strings.Builder, r relation) {
	kind := ""
	if r.View {
		kind = " (a view)"
	}
	fmt.Fprintf(page, "\n### `%s`%s\n\n%s\n", named(r.Schema, r.Name), kind, r.Comment)
	if facts := constraints(r); len(facts) > 0 {
		fmt.Fprintf(page, "\n%s.\n", strings.Join(facts, ". "))
	}
	if r.View {
		page.WriteString("\n| column | type | what it is |\n|---|---|---|\n")
	} else {
		page.WriteString("\n| column | type | null | default | what it is |\n|---|---|---|---|---|\n")
	}
	for _, c := range r.Columns {
		fmt.Fprintf(page, "| `%s` | %s |", c.Name, short(c.Type))
		if !r.View {
			null := ""
			if c.Nullable {
				null = "yes"
			}
			fmt.Fprintf(page, " %s | %s |", null, quoted(short(c.Default)))
		}
		fmt.Fprintf(page, " %s |\n", strings.ReplaceAll(c.Comment, "|", `\|`))
	}
	list(page, "Indexes", r.Indexes, func(o object) string {
		_, on, _ := strings.Cut(o.Definition, " USING ")
		return fmt.Sprintf("`%s` (`%s`): %s", o.Name, short(strings.TrimPrefix(on, "btree ")), o.Comment)
	})
	list(page, "Triggers", r.Triggers, func(o object) string { return fmt.Sprintf("`%s`: %s", o.Name, o.Comment) })
}

// constraints names the keys of a table, and the tables it refers to.
func constraints(r relation) []string {
	var facts []string
	if len(r.Key) > 0 {
		facts = append(facts, fmt.Sprintf("Primary key: `(%s)`", strings.Join(r.Key, ", ")))
	}
	for _, u := range r.Uniques {
		facts = append(facts, fmt.Sprintf("Constraint: `%s`", u))
	}
	var refs []string
	for _, ref := range r.References {
		to := named(ref.Schema, ref.To)
		refs = append(refs, fmt.Sprintf("[%s](#%s) by `(%s)`", to, strings.ReplaceAll(to, ".", ""), strings.Join(ref.Columns, ", ")))
	}
	if len(refs) > 0 {
		facts = append(facts, "Refers to "+strings.Join(refs, ", "))
	}
	return facts
}

func list(page *strings.Builder, heading string, objects []object, line func(object) string) {
	if len(objects) == 0 {
		return
	}
	fmt.Fprintf(page, "\n%s:\n\n", heading)
	for _, o := range objects {
		fmt.Fprintf(page, "- %s\n", line(o))
	}
}

// named qualifies a name, except in the schema annals.
func named(schema, name string) string {
	if schema == "annals" {
		return name
	}
	return schema + "." + name
}

// title returns a migration's title: "SQL api" for 00007_sql_api.sql.
func title(file string) string {
	name := strings.ReplaceAll(strings.TrimSuffix(file[6:], ".sql"), "_", " ")
	return strings.Replace(strings.ToUpper(name[:1])+name[1:], "Sql", "SQL", 1)
}

var (
	casts = regexp.MustCompile(`('[^']*'|NULL)::[a-z_."]+(?: with time zone| varying)?(?:\[\])?`)
	ours  = regexp.MustCompile(`(^|[^'\w])annals\.`)
	words = strings.NewReplacer("timestamp with time zone", "timestamptz", "character varying", "varchar", "double precision", "float8")
)

// short writes types in their usual short form, names of the schema annals
// without it, and constants without casts.
func short(definition string) string {
	return words.Replace(ours.ReplaceAllString(casts.ReplaceAllString(definition, "$1"), "$1"))
}

func quoted(code string) string {
	if code == "" {
		return ""
	}
	return "`" + code + "`"
}
