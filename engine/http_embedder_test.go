package engine_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

func newHTTPEmbedder(t *testing.T, _ *modeltest.Server, _ *pgxpool.Pool) model.Embedder {
	e, err := model.NewHashEmbedder(384)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
