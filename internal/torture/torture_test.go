package torture

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

var (
	points = flag.Int("points", 48, "points at which something is killed")
	seed   = flag.Uint64("seed", 1, "which points, of all there are")
	only   = flag.String("only", "", "the operation to torture, by its name; empty: all")
	atOnce = flag.Int("at-once", 2, "points that are tried at the same time")
)

// The time limit of an operation, including its repetition.
const patience = 2 * time.Minute

// tally counts the outcomes of an operation.
type tally struct {
	name                            string
	statements, points, harmed      int
	lost, broken, different, undone []string // at which point, and what
	began                           time.Time
	took                            time.Duration
}

func (t *tally) bad() []string {
	return slices.Concat(t.lost, t.broken, t.different, t.undone)
}

var harms = map[pgtest.Harm]string{pgtest.Before: "killed before", pgtest.During: "killed during", pgtest.Terminate: "connection ended at"}

// TestTorture interrupts each operation at many of its statements. It kills the
// program before or during the statement, or ends only its connection. Nothing
// acknowledged may be lost, and every invariant must hold. After the operation is
// repeated, the memory must equal that of an undisturbed run.
func TestTorture(t *testing.T) {
	slow.Test(t)
	if !slow.Long() {
		*points = min(*points, 8)
	}
	var tallies []*tally
	dice := rand.New(rand.NewPCG(*seed, 20))
	for _, o := range operations(t) {
		if *only != "" && o.name != *only {
			continue
		}
		tallies = append(tallies, o.torture(t, dice, max(2, *points*o.share/1000)))
	}
	for _, s := range storms {
		if *only == "" || *only == s.name {
			tallies = append(tallies, s.rage(t, max(1, *points*s.share/1000)))
		}
	}
	report(t, tallies)
}

// torture tries an operation at a number of points.
func (o *operation) torture(t *testing.T, dice *rand.Rand, n int) *tally {
	sum := &tally{name: o.name, began: time.Now()}
	want, statements := o.undisturbed(t)
	again, _ := o.undisturbed(t)
	if lines := difference(want, again); len(lines) > 0 {
		t.Fatalf("%s: two undisturbed runs differ:\n%s", o.name, strings.Join(lines, "\n"))
	}
	sum.statements, sum.points = statements, n
	work := make(chan [2]int)
	var group sync.WaitGroup
	var mu sync.Mutex
	for range *atOnce {
		group.Go(func() {
			for point := range work {
				p := o.try(t, point[0], pgtest.Harm(point[1]), want)
				mu.Lock()
				sum.add(p)
				mu.Unlock()
			}
		})
	}
	kinds := []pgtest.Harm{pgtest.Before, pgtest.During, pgtest.Terminate}
	for i := range n { // one in each part of the operation
		from, to := 1+i*statements/n, max(1+i*statements/n, (i+1)*statements/n)
		work <- [2]int{from + dice.IntN(to-from+1), int(kinds[(i+dice.IntN(2))%len(kinds)])}
	}
	close(work)
	group.Wait()
	sum.took = time.Since(sum.began)
	t.Logf("%s: %d points in %s", o.name, n, sum.took.Round(time.Second))
	return sum
}

// undisturbed runs an operation without interruption.
func (o *operation) undisturbed(t *testing.T) (lines []string, statements int) {
	t.Helper()
	url, drop := o.base.copy()
	defer drop()
	w := pgtest.NewWire(t, url)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := o.do(ctx, &run{url: w.URL}); err != nil {
		t.Fatalf("%s, undisturbed: %v", o.name, err)
	}
	statements = w.Statements()
	w.Die()
	settle(t, url)
	lines, err := portraitOf(ctx, url, o.portrait)
	if err != nil {
		t.Fatal(err)
	}
	if err := with(ctx, annals.Config{DatabaseURL: url}, func(c *annals.Client) error {
		found, err := broken(ctx, c)
		if len(found) > 0 {
			t.Fatalf("%s, undisturbed, breaks %q", o.name, found)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return lines, statements
}

// outcome is the result of one point.
type outcome struct {
	harmed                          bool
	lost, broken, different, undone []string
}

func (t *tally) add(p outcome) {
	if p.harmed {
		t.harmed++
	}
	t.lost, t.broken = append(t.lost, p.lost...), append(t.broken, p.broken...)
	t.different, t.undone = append(t.different, p.different...), append(t.undone, p.undone...)
}

// try runs an operation, interrupts it at a statement, and checks what is left.
func (o *operation) try(t *testing.T, at int, h pgtest.Harm, want []string) (p outcome) {
	url, drop := o.base.copy()
	defer drop()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := pgtest.NewWire(t, url)
	w.HarmAfter(at-1, h)
	r := &run{url: w.URL}
	o.harm(ctx, w, r, h)
	p.harmed = w.Done()
	w.Die()
	settle(t, url)
	o.judge(ctx, t, r, url, fmt.Sprintf("%s, %s statement %d", o.name, harms[h], at), want, &p)
	return p
}

// judge checks a database after an interruption, repeats the operation, and
// compares the result with the expected one.
func (o *operation) judge(ctx context.Context, t *testing.T, r *run, url, where string, want []string, p *outcome) {
	failed := func(list *[]string, what ...string) {
		for _, line := range what {
			*list = append(*list, where+": "+line)
		}
	}
	lost, err := o.lostOf(ctx, r, url)
	if failed(&p.lost, lost...); err != nil {
		failed(&p.broken, "look for what was lost: "+err.Error())
	}
	failed(&p.broken, o.brokenIn(ctx, url, o.open...)...)
	if err := o.do(ctx, &run{url: url, again: true}); err != nil {
		failed(&p.undone, "done again: "+err.Error())
		return
	}
	settle(t, url)
	failed(&p.broken, o.brokenIn(ctx, url)...)
	got, err := portraitOf(ctx, url, o.portrait)
	if err != nil {
		failed(&p.undone, err.Error())
	}
	failed(&p.different, difference(want, got)...)
}

// harm runs the operation until the interruption. A dead program does no more.
func (o *operation) harm(ctx context.Context, w *pgtest.Wire, r *run, h pgtest.Harm) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if h != pgtest.Terminate {
		go func() {
			select {
			case <-w.Fired:
				stop()
			case <-ctx.Done():
			}
		}()
	}
	_ = o.do(ctx, r) // it fails, mostly
}

func (o *operation) lostOf(ctx context.Context, r *run, url string) ([]string, error) {
	if o.portrait == schemaPortrait {
		return nil, nil
	}
	return o.lost(ctx, r, url)
}

// brokenIn returns the broken invariants of a database with a schema, except those
// that may be open.
func (o *operation) brokenIn(ctx context.Context, url string, open ...string) (found []string) {
	err := with(ctx, annals.Config{DatabaseURL: url}, func(c *annals.Client) (err error) {
		found, err = broken(ctx, c, open...)
		return err
	})
	if err != nil && (o.portrait != schemaPortrait || annals.CodeOf(err) != annals.CodeConflict) { // not yet migrated
		found = append(found, err.Error())
	}
	return found
}

// report prints the table, and fails if something is wrong.
func report(t *testing.T, tallies []*tally) {
	t.Helper()
	var b strings.Builder
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "operation\tstatements\tpoints\tharmed\tlost\tbroken\tdifferent\tnot done again\tseconds\t")
	var all tally
	for _, s := range tallies {
		row(out, s)
		all.statements, all.points, all.harmed, all.took = all.statements+s.statements, all.points+s.points, all.harmed+s.harmed, all.took+s.took
		all.add(outcome{lost: s.lost, broken: s.broken, different: s.different, undone: s.undone})
	}
	all.name = "all"
	row(out, &all)
	_ = out.Flush()
	fmt.Fprintf(os.Stderr, "seed %d\n%s", *seed, b.String())
	for _, line := range all.bad() {
		t.Error(line)
	}
}

func row(out *tabwriter.Writer, s *tally) {
	fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\t\n", s.name, s.statements, s.points, s.harmed,
		len(s.lost), len(s.broken), len(s.different), len(s.undone), s.took.Seconds())
}
