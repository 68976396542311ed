package intake

import (
	"context"
	"encoding/json"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
)

// CreateThread makes a conversation, and reports whether it was not there before.
func CreateThread(ctx context.Context, q db.DBTX, groupID, id string, metadata json.RawMessage) (bool, error) {
	made, err := db.New(q).ThreadCreate(ctx, db.ThreadCreateParams{GroupID: groupID, ID: id, Metadata: change.Object(metadata)})
	return made > 0, change.Failed(change.Refused(err), "make thread %q", id)
}
