package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// The limits on a block's value, in characters.
const (
	DefaultBlockLimit = 2000
	MaxBlockLimit     = 100_000
)

// Block is a text of limited length in the working context. All agents that it is attached to see
// and edit it.
type Block struct {
	ID          uuid.UUID `json:"id"`
	Label       string    `json:"label"`       // persona, human …
	Description string    `json:"description"` // what it is for, which agents see
	Value       string    `json:"value"`
	Limit       int       `json:"limit"`     // of the value, in characters; 1 to MaxBlockLimit; zero: DefaultBlockLimit
	ReadOnly    bool      `json:"read_only"` // whether agents may not edit it

	// Annals sets the following fields.
	Version  int64     `json:"version"`
	EditedBy string    `json:"edited_by,omitempty"` // an agent, or the editor given to [Agents.EditBlock]; empty: not known
	Since    time.Time `json:"since,omitzero"`      // when it got this value
	Until    time.Time `json:"until,omitzero"`      // when it got another value; zero: it is current

	cursor, parent int64
	redo           []int64
}

func (b Block) validate() error {
	switch {
	case strings.TrimSpace(b.Label) == "" || len(b.Label) > 512:
		return graph.Invalid("label", "must have 1 to 512 bytes")
	case b.Limit < 0 || b.Limit > MaxBlockLimit:
		return graph.Invalid("limit", "is %d; it must be 1 to %d", b.Limit, MaxBlockLimit)
	}
	if err := cmp.Or(
		validText("label", b.Label), validText("description", b.Description), validText("value", b.Value), validText("edited_by", b.EditedBy),
	); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(b.Value); n > b.limit() {
		return graph.Invalid("value", "has %d characters; the limit of %s is %d", n, b.Label, b.limit())
	}
	return nil
}

func (b Block) limit() int {
	if b.Limit == 0 {
		return DefaultBlockLimit
	}
	return b.Limit
}

func insertBlock(ctx context.Context, q *db.Queries, groupID string, b Block, by string) (uuid.UUID, error) {
	if err := b.validate(); err != nil {
		return uuid.Nil, err
	}
	id := uuid.Must(uuid.NewV7())
	err := q.BlockInsert(ctx, db.BlockInsertParams{
		GroupID: groupID, ID: id, Label: b.Label, Description: b.Description, Value: b.Value, CharLimit: int32(b.limit()), ReadOnly: b.ReadOnly, EditedBy: by,
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("make the block %s: %w", b.Label, err)
	}
	return id, nil
}

// attachBlock attaches a block to an agent. It fails with [graph.CodeConflict] if the agent sees
// another block with the same label.
func attachBlock(ctx context.Context, q *db.Queries, groupID string, agentID, blockID uuid.UUID) error {
	block, err := getBlock(ctx, q, groupID, blockID)
	if err != nil {
		return err
	}
	own, err := readBlocks(ctx, q, groupID, agentID)
	if err != nil {
		return err
	}
	for _, other := range own {
		if other.Label == block.Label && other.ID != blockID {
			return change.Conflict("label", "the agent sees another block called %q; detach it first", block.Label)
		}
	}
	if _, err := q.BlockAttach(ctx, db.BlockAttachParams{GroupID: groupID, AgentID: agentID, BlockID: blockID}); err != nil {
		return fmt.Errorf("attach the block %s: %w", block.Label, err)
	}
	return nil
}

func readBlocks(ctx context.Context, q *db.Queries, groupID string, agentID uuid.UUID) ([]Block, error) {
	rows, err := q.BlocksOfAgent(ctx, db.BlocksOfAgentParams{GroupID: groupID, AgentID: agentID})
	if err != nil {
		return nil, fmt.Errorf("read the blocks: %w", err)
	}
	return each.Of(rows, readBlock), nil
}

func readBlock(r db.BlockRow) Block {
	stood := db.Interval(r.Recorded)
	return Block{
		ID: r.ID, Label: r.Label, Description: r.Description, Value: r.Value, Limit: int(r.CharLimit), ReadOnly: r.ReadOnly,
		Version: r.Version, EditedBy: r.EditedBy, Since: stood.Start, Until: stood.End, cursor: r.Cursor, parent: r.Parent, redo: r.Redo,
	}
}

func getBlock(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) (Block, error) {
	row, err := q.BlockGet(ctx, db.BlockGetParams{GroupID: groupID, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return Block{}, change.NotFound("block", "group %s has none with the id %s", groupID, id)
	}
	if err != nil {
		return Block{}, fmt.Errorf("read the block %s: %w", id, err)
	}
	return readBlock(row), nil
}

// Blocks lists the blocks that the agent sees, in order.
func (a *Agent) Blocks(ctx context.Context) ([]Block, error) {
	return read(ctx, a, func(q *db.Queries) ([]Block, error) { return readBlocks(ctx, q, a.GroupID, a.ID) })
}

// BlocksAt lists the blocks that the agent sees, with their values at a time.
func (a *Agent) BlocksAt(ctx context.Context, at time.Time) ([]Block, error) {
	if err := graph.ValidateTime("as_of", at); err != nil {
		return nil, err
	}
	rows, err := read(ctx, a, func(q *db.Queries) ([]db.BlockRow, error) {
		return q.BlocksAt(ctx, db.BlocksAtParams{GroupID: a.GroupID, AgentID: a.ID, At: at})
	})
	if err != nil {
		return nil, fmt.Errorf("read the blocks as they were: %w", err)
	}
	return each.Of(rows, func(row db.BlockRow) Block {
		b := readBlock(row)
		b.Until = time.Time{} // it was current at that time
		return b
	}), nil
}

// Block returns the block with a label. It fails with [graph.CodeNotFound] if the agent sees none.
func (a *Agent) Block(ctx context.Context, label string) (Block, error) {
	blocks, err := a.Blocks(ctx)
	if err != nil {
		return Block{}, err
	}
	if b := blockNamed(blocks, label); b != nil {
		return *b, nil
	}
	return Block{}, change.NotFound("label", "%s sees no block called %q", a.Name, label)
}

// Share attaches a block of the group to the agent. All agents that see a block see each other's
// edits. It fails with [graph.CodeConflict] if the agent sees another block with the same label.
func (a *Agent) Share(ctx context.Context, blockID uuid.UUID) error {
	return a.write(ctx, func(q *db.Queries) error { return attachBlock(ctx, q, a.GroupID, a.ID, blockID) })
}

// Unshare detaches a block from the agent. The block itself stays.
func (a *Agent) Unshare(ctx context.Context, blockID uuid.UUID) error {
	return a.write(ctx, func(q *db.Queries) error {
		_, err := q.BlockDetach(ctx, db.BlockDetachParams{GroupID: a.GroupID, AgentID: a.ID, BlockID: blockID})
		return err
	})
}

// CreateBlock creates a block that no agent sees yet, and its group if there is none.
func (s *Agents) CreateBlock(ctx context.Context, groupID string, b Block) (Block, error) {
	if _, err := s.client.CreateGroup(ctx, annals.Group{ID: groupID}); err != nil && !isTaken(err) {
		return Block{}, err
	}
	return s.block(ctx, groupID, func(q *db.Queries) (uuid.UUID, error) { return insertBlock(ctx, q, groupID, b, b.EditedBy) })
}

// block runs do, which creates or changes a block, and returns that block.
func (s *Agents) block(ctx context.Context, groupID string, do func(*db.Queries) (uuid.UUID, error)) (Block, error) {
	made, err := ask(ctx, s.client.InGroup, groupID, func(q *db.Queries) (Block, error) {
		if err := saysWho(ctx, q); err != nil {
			return Block{}, err
		}
		id, err := do(q)
		if err != nil {
			return Block{}, err
		}
		return getBlock(ctx, q, groupID, id)
	})
	if erased := db.RefusedText(err); erased != nil {
		return Block{}, erased
	}
	return made, err
}

// EditBlock replaces all fields of a block. EditedBy is recorded as the editor. If Version is not
// 0, it fails with [graph.CodeConflict] unless the block has that version.
func (s *Agents) EditBlock(ctx context.Context, groupID string, b Block) (Block, error) {
	if err := b.validate(); err != nil {
		return Block{}, err
	}
	return s.block(ctx, groupID, func(q *db.Queries) (uuid.UUID, error) {
		now, err := getBlock(ctx, q, groupID, b.ID)
		if err != nil {
			return b.ID, err
		}
		if b.Version == 0 {
			b.Version = now.Version
		}
		changed, err := q.BlockEdit(ctx, db.BlockEditParams{
			GroupID: groupID, ID: b.ID, Version: b.Version, Label: b.Label, Description: b.Description, Value: b.Value,
			CharLimit: int32(b.limit()), ReadOnly: b.ReadOnly, EditedBy: b.EditedBy,
		})
		return b.ID, editedBlock(changed, err)
	})
}

func editedBlock(changed int64, err error) error {
	if err != nil {
		return fmt.Errorf("edit the block: %w", err)
	}
	if changed == 0 {
		return change.Conflict("version", "the block was edited meanwhile; read it again")
	}
	return nil
}

// Undo restores the value of a block before its last edit; repeated calls go further back. by is
// recorded as the editor. It fails with [graph.CodeConflict] if there is nothing to undo.
func (s *Agents) Undo(ctx context.Context, groupID string, blockID uuid.UUID, by string) (Block, error) {
	return s.block(ctx, groupID, func(q *db.Queries) (uuid.UUID, error) {
		b, err := getBlock(ctx, q, groupID, blockID)
		if err != nil {
			return blockID, err
		}
		if b.parent == 0 {
			return blockID, change.Conflict("block", "there is nothing to undo")
		}
		return blockID, show(ctx, q, groupID, b, b.parent, append([]int64{b.cursor}, b.redo...), by)
	})
}

// Redo reverts the last undo. It fails with [graph.CodeConflict] if there is nothing to redo.
func (s *Agents) Redo(ctx context.Context, groupID string, blockID uuid.UUID, by string) (Block, error) {
	return s.block(ctx, groupID, func(q *db.Queries) (uuid.UUID, error) {
		b, err := getBlock(ctx, q, groupID, blockID)
		if err != nil {
			return blockID, err
		}
		if len(b.redo) == 0 {
			return blockID, change.Conflict("block", "there is nothing to redo")
		}
		return blockID, show(ctx, q, groupID, b, b.redo[0], b.redo[1:], by)
	})
}

func show(ctx context.Context, q *db.Queries, groupID string, b Block, version int64, redo []int64, by string) error {
	if err := validText("edited_by", by); err != nil {
		return err
	}
	kept, err := q.BlockHasVersion(ctx, db.BlockHasVersionParams{GroupID: groupID, ID: b.ID, Version: version})
	if err != nil {
		return fmt.Errorf("look for version %d of the block: %w", version, err)
	}
	if !kept {
		return change.Conflict("block", "what it said in that version was erased")
	}
	return editedBlock(q.BlockShow(ctx, db.BlockShowParams{
		GroupID: groupID, ID: b.ID, Version: b.Version, Shown: version, Redo: redo, EditedBy: by,
	}))
}

// BlockHistory lists the versions of a block, the latest first, at most [annals.MaxRows].
func (s *Agents) BlockHistory(ctx context.Context, groupID string, blockID uuid.UUID) ([]Block, error) {
	rows, err := ask(ctx, s.client.InGroup, groupID, func(q *db.Queries) ([]db.BlockRow, error) {
		if _, err := getBlock(ctx, q, groupID, blockID); err != nil {
			return nil, err
		}
		return q.BlockVersions(ctx, db.BlockVersionsParams{GroupID: groupID, ID: blockID, MaxRows: annals.MaxRows})
	})
	return each.Of(rows, readBlock), err
}

func uniqueViolation(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505"
}
