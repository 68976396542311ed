package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

// byteOrderMark is a byte order mark, which some editors write before UTF-8.
const byteOrderMark = "\ufeff"

// maxNamed is how many episodes the summary lists.
const maxNamed = 1000

const addHelp = `Stores episodes and reads them into the graph. An episode is a text given as
argument, a file, standard input (-), or each line of a JSON lines file:

  {"content": "I live in Paris.", "occurred_at": "2023-01-10", "actor": "Alice",
   "source": "message", "role": "user", "thread_id": "chat-1",
   "external_id": "msg-17", "metadata": {}, "name": "", "source_description": "",
   "deferred": false, "previous": 4}

Only content is needed; the flags fill in what a line leaves out. A line may
have 10 MiB, a content 1 MiB. What comes before a bad line is kept.

Adding an external_id again changes nothing. What has none gets one made of what
it says, when, where and by whom, where its time is given (a text also needs --actor
or --role); else lines get one made of the file's name and the line, and a text file
one made of its name and content. So the same command can be run again without
doubling anything: it says "already there". A text given as argument, and what
comes through a pipe, is new every time where no time is given: it is said now.

What has no source_description gets the name of the file, so that 'annals review
added --source FILE' shows what it brought, and 'annals undo --source FILE' takes it back.`

// addition holds the flags of add.
type addition struct {
	Format    string `json:"format" to:"-" doc:"jsonl, text or json; otherwise told from the file's ending and beginning"`
	Force     string `json:"force" to:"-" doc:"take in the one episode with this external id, or on this line, although it was erased"`
	NoProcess bool   `json:"no_process" to:"-" doc:"only store; a later add or retry reads them"`

	NoLLM             bool   `json:"no_llm" to:"Deferred" doc:"keep it from the language model: found by its words and its vector, read when 'annals retry' asks for it"`
	Source            string `json:"source" doc:"message, text or json"`
	Actor             string `json:"actor" doc:"who said or wrote it"`
	Role              string `json:"role" doc:"user, assistant, …"`
	OccurredAt        string `json:"occurred_at" doc:"when: 2024-03-15, 2024-03-15T09:30 in the group's time zone or 2024-03-15T09:30:00Z; otherwise now"`
	ThreadID          string `json:"thread_id" doc:"the conversation it belongs to"`
	ExternalID        string `json:"external_id" doc:"your own name for it, unique in the group"`
	SourceDescription string `json:"source_description" doc:"where it comes from; otherwise the name of the file"`
	ExpiresAt         string `json:"expires_at" doc:"when it is hidden, with what only it supports, and soon after undone; otherwise never"`
	Metadata          string `json:"metadata" doc:"a JSON object, kept as it is"`
	Name              string `json:"name" doc:"a title"`

	file     string
	previous *int
	pipe     bool           // the input cannot be read a second time
	episode  annals.Episode // what the flags say of every episode
}

func addCommand(a *app) *cobra.Command {
	var in addition
	var previous int
	cmd := &cobra.Command{
		Use:   "add [TEXT | -]",
		Short: "Add what was said or written",
		Long:  addHelp,
		Example: `  annals add --group alice --actor Alice --occurred-at 2023-01-10 "I live in Paris."
  annals add --group chat --file messages.jsonl
  some-program | annals add --group chat --format jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("previous") {
				in.previous = &previous
			}
			return a.add(cmd.Context(), in, args)
		},
	}
	bind(cmd.Flags(), &in)
	cmd.Flags().StringVarP(&in.file, "file", "f", "", "read from this file; - is standard input")
	cmd.Flags().IntVar(&previous, "previous", 0, "earlier messages of the thread to show with it; otherwise as set (ANNALS_PREVIOUS)")
	return cmd
}

func (a *app) add(ctx context.Context, in addition, args []string) error {
	source, closeSource, err := a.source(ctx, in, args)
	if err != nil {
		return err
	}
	defer closeSource()
	source.force = in.Force
	client, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	report := &addReport{Episodes: []addedJSON{}}
	bad, err := source.store(ctx, client, report)
	if err != nil {
		return report.stopped(err)
	}
	if !in.NoProcess && ctx.Err() == nil {
		if err := a.process(ctx, client, report); err != nil {
			return err // the next run of the same command reports the bad line, if any
		}
	}
	if bad != nil {
		return report.stopped(bad)
	}
	if err := a.printAdded(report); err != nil {
		return err
	}
	return report.printRefused(a.stderr)
}

// maxRefusedShown is how many refused lines are shown on the screen.
const maxRefusedShown = 20

// printRefused lists the episodes that were left out because they were erased.
func (r *addReport) printRefused(w io.Writer) error {
	if r.Refused == 0 {
		return nil
	}
	fmt.Fprintf(w, "%d left out, as they were erased; 'annals add --force ID' takes one in again:\n", r.Refused)
	for i, one := range r.RefusedLines {
		if i == maxRefusedShown {
			fmt.Fprintf(w, "  … and %d more; --json names them\n", r.Refused-i)
			break
		}
		fmt.Fprintf(w, "  line %d %s: %s\n", one.Line, one.ExternalID, one.Reason)
	}
	return nil
}

// stopped adds to an error how many episodes before it were kept.
func (r *addReport) stopped(bad error) error {
	switch kept := r.Added + r.Existing; kept {
	case 0:
		return bad
	case 1:
		return fmt.Errorf("%w (the one episode before it is kept)", bad)
	default:
		return fmt.Errorf("%w (the %d episodes before it are kept)", bad, kept)
	}
}

var errNothing = errors.New("there is nothing to add: give a text, --file, or pipe something in")

// source returns the episodes to add, and a function that closes the input.
func (a *app) source(ctx context.Context, in addition, args []string) (*lines, func(), error) {
	noop := func() {}
	var err error
	if in.episode, err = input.Read(in, annals.Episode{GroupID: a.group, Previous: in.previous}); err != nil {
		return nil, noop, asFlag(&in, err)
	}
	if len(args) == 1 && args[0] == "-" && in.file == "" {
		args, in.file = nil, "-"
	}
	switch {
	case len(args) == 1 && in.file != "":
		return nil, noop, errors.New("give a text or --file, not both")
	case len(args) == 1 && strings.TrimSpace(args[0]) == "":
		return nil, noop, errNothing
	case len(args) == 1:
		text := textSource(in.episode, args[0], graph.SourceMessage)
		if text.one.ExternalID == "" && text.one.Speaker() != "" {
			text.one.ExternalID = saidID(*text.one, 1) // said again, it has the same id
		}
		return text, noop, nil
	case in.file != "" && in.file != "-":
		f, err := os.Open(in.file)
		if err != nil {
			return nil, noop, fmt.Errorf("read the file: %w", err)
		}
		info, err := f.Stat()
		in.pipe = err != nil || !info.Mode().IsRegular()
		source, err := sourceOf(in, f, filepath.Base(in.file))
		return source, func() { _ = f.Close() }, err
	}
	if f, ok := a.stdin.(*os.File); ok && in.file == "" && term.IsTerminal(int(f.Fd())) {
		return nil, noop, errNothing
	}
	in.pipe = true
	source, err := sourceOf(in, interruptible(ctx, a.stdin), "")
	return source, noop, err
}

// interruptible returns a reader whose waiting Read fails when ctx ends.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { _ = out.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(in, r)
		_ = in.CloseWithError(err) // nil: the end of r
	}()
	return out
}

// sourceOf decides by the flag, the file name or the first bytes whether the input is JSON lines or
// a text. name is empty for standard input.
func sourceOf(in addition, r io.Reader, name string) (*lines, error) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if head, err := buffered.Peek(len(byteOrderMark)); err == nil && string(head) == byteOrderMark {
		_, _ = buffered.Discard(len(byteOrderMark)) // it was read by Peek
	}
	switch format := formatOf(in.Format, name, buffered); format {
	case "jsonl":
		return in.lines(name, buffered)
	case "text", "json":
		content, err := io.ReadAll(io.LimitReader(buffered, graph.MaxContent+1))
		if err != nil {
			return nil, fmt.Errorf("read the text: %w", err)
		}
		source := graph.SourceText
		if format == "json" {
			source = graph.SourceJSON
		}
		if len(bytes.TrimSpace(content)) == 0 && name == "" {
			return nil, errNothing
		}
		in.episode.SourceDescription = cmp.Or(in.episode.SourceDescription, name)
		text := textSource(in.episode, string(content), source)
		if !in.pipe && text.one.ExternalID == "" {
			text.one.ExternalID = hashID(name, string(content), in.OccurredAt)
		}
		return text, nil
	default:
		return nil, graph.Invalid("format", "%q is not one of jsonl, text, json", format)
	}
}

// lines reads JSON lines; flags set the fields that a line lacks.
func (in addition) lines(name string, r io.Reader) (*lines, error) {
	if in.ExternalID != "" {
		return nil, graph.Invalid("external-id", "names one episode; write it into the JSON lines as external_id")
	}
	l := newLines(in.episode.GroupID, name, r)
	l.stable = !in.pipe
	var err error
	l.many.Rest, err = input.Read(in, graph.EpisodeInput{Previous: in.previous})
	return l, err
}

func formatOf(flag, name string, r *bufio.Reader) string {
	if flag != "" {
		return flag
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jsonl", ".ndjson":
		return "jsonl"
	case ".json":
		return "json"
	case ".txt", ".md":
		return "text"
	}
	head, _ := r.Peek(512) // a later read returns the error
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return "jsonl"
	}
	return "text"
}

// addReport is the summary that add prints.
type addReport struct {
	Added    int `json:"added"`
	Existing int `json:"existing"`
	Done     int `json:"done"`
	Failed   int `json:"failed"`
	ByWorker int `json:"read_by_worker,omitempty"` // another process read them meanwhile
	Refused  int `json:"refused,omitempty"`
	Entities int `json:"entities_mentioned"`
	Facts    int `json:"facts"`
	Closed   int `json:"facts_closed"`

	Withdrawn int `json:"facts_refused,omitempty"` // facts that were withdrawn before

	Seconds  float64     `json:"seconds"`
	Episodes []addedJSON `json:"episodes"`

	RefusedLines []service.Refused `json:"refused_lines,omitempty"`

	firstError error
	reader     string // the analyst, in words
	retried    bool   // there was nothing to add
}

type addedJSON struct {
	ID         uuid.UUID `json:"id"`
	New        bool      `json:"new"`
	ExternalID string    `json:"external_id,omitempty"`
	Note       string    `json:"note,omitempty"` // how an ambiguous time was read, and which words are not searched
}

func (r *addReport) add(episodes []annals.Episode, stored []annals.Stored) {
	for i, s := range stored {
		if s.New {
			r.Added++
		} else {
			r.Existing++
		}
		if len(r.Episodes) < maxNamed {
			r.Episodes = append(r.Episodes, addedJSON{ID: s.ID, New: s.New, ExternalID: episodes[i].ExternalID, Note: s.Note})
		}
	}
}
