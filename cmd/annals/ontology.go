package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func ontologyCommand(a *app) *cobra.Command {
	cmd := showing(a.withMemory, &cobra.Command{
		Use:     "ontology",
		Short:   "Show the kinds of entities and facts a group looks for",
		Example: "  annals ontology --group shop\n  annals ontology set shop.json --group shop",
	}, func(ctx context.Context, s *session, _ *none) (annals.Ontology, error) {
		return s.Ontology(ctx, s.group)
	}, func(s *session, o annals.Ontology) error { return s.printJSON(o) })
	cmd.AddCommand(ontologySetCommand(a))
	return cmd
}

func ontologySetCommand(a *app) *cobra.Command {
	return taking(a.withClient, &cobra.Command{
		Use:   "set FILE",
		Short: "Give a group its kinds of entities and facts",
		Long: `Gives a group its entity types and fact types, with descriptions, typed
attributes and the pairs a fact type may stand between. The file is JSON:

  {"entity_types": [{"name": "Product", "description": "Something sold",
     "attributes": {"type": "object", "properties": {"price": {"type": "number"}}}}],
   "fact_types": [{"name": "BOUGHT", "pairs": [{"source": "Person", "target": "Product"}]}],
   "excluded_types": ["Topic"], "instructions": "Heed returns and complaints."}

Episodes read from now on are read for them; {} takes them away again.`,
		Example: `  annals ontology set shop.json --group shop`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		text, err := s.readFile(s.args[0])
		if err != nil {
			return fmt.Errorf("read the ontology: %w", err)
		}
		o, err := graph.ParseOntology(text)
		if err != nil {
			return err
		}
		if err := s.SetOntology(ctx, s.group, o); err != nil {
			return err
		}
		return s.tell(o, "%s looks for these types. Entities: %d, facts: %d.\n", s.group, len(o.EntityTypes), len(o.FactTypes))
	})
}

// readFile reads a small file; - is standard input.
func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(a.stdin, graph.MaxOntology+1)) // one byte more than the limit is refused later
	}
	return os.ReadFile(name)
}
