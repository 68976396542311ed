package db

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// plannable returns the statements that create again the functions that Citus cannot plan: those in
// SQL that read tables. Their texts come from the catalogue, read with an empty search path, so
// that all names have their schemas.
func plannable(ctx context.Context, pool Pool) ([]string, error) {
	var functions []DistributionFunctionsRow
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) (err error) {
		if _, err = tx.Exec(ctx, `SET LOCAL search_path = ''`); err != nil {
			return err
		}
		functions, err = New(tx).DistributionFunctions(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the functions: %w", err)
	}
	statements := make([]string, 0, len(functions))
	for _, f := range functions {
		statement, err := inPlpgsql(f)
		if err != nil {
			return nil, err
		}
		statements = append(statements, statement)
	}
	return statements, nil
}

// inSQL marks a PL/pgSQL function that is in SQL on one server.
const inSQL = " -- in SQL on one server"

// inPlpgsql turns a function in SQL into one in PL/pgSQL that returns the same.
func inPlpgsql(f DistributionFunctionsRow) (string, error) {
	head, ok := strings.CutSuffix(strings.TrimRight(f.Definition, "\n"), strings.TrimRight(f.Body, "\n"))
	if !ok {
		return "", fmt.Errorf("%s: its definition does not end in its body", f.Name)
	}
	head = strings.Replace(head, "\n LANGUAGE sql\n", "\n LANGUAGE plpgsql\n", 1)
	body := strings.TrimSpace(f.Body)
	expression, scalar := strings.CutPrefix(body, "RETURN ")
	query := strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(body, "BEGIN ATOMIC"), "END")), ";")
	switch {
	case scalar && f.Many:
		return "", fmt.Errorf("%s: returns several rows of an expression", f.Name)
	case scalar:
		body = "RETURN " + expression
	case strings.Contains(query, ";\n"):
		return "", fmt.Errorf("%s: consists of several statements", f.Name)
	case f.Many:
		body = "RETURN QUERY " + query
	default:
		body = "RETURN (" + query + ")"
	}
	return head + "AS $function$\n#variable_conflict use_column\nBEGIN" + inSQL + "\n" + body + ";\nEND\n$function$", nil
}
