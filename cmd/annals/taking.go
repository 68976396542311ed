package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

// work is what a command does with an open client.
type work func(context.Context, *session) error

// opener makes the RunE of a command: [app.withMemory] or [app.withClient].
type opener func(work) func(*cobra.Command, []string) error

// none is the input of a command without flags of its own.
type none struct{}

// atMost is the input of a list without pages.
type atMost struct {
	Limit int `json:"limit" default:"100" doc:"How many at the most"`
}

// taking adds the fields of In as flags to a command, and runs it with them.
func taking[In any](open opener, cmd *cobra.Command, run func(context.Context, *session, *In) error) *cobra.Command {
	in := new(In)
	bind(cmd.Flags(), in)
	cmd.RunE = open(func(ctx context.Context, s *session) error { return asFlag(in, run(ctx, s, in)) })
	return cmd
}

// showing is [taking] for a command that does something, and shows what came of it.
func showing[In, Out any](
	open opener, cmd *cobra.Command, do func(context.Context, *session, *In) (Out, error), show func(*session, Out) error,
) *cobra.Command {
	return taking(open, cmd, func(ctx context.Context, s *session, in *In) error {
		out, err := do(ctx, s, in)
		if err != nil {
			return err
		}
		return show(s, out)
	})
}

// calling is [showing] for a call of the library, which gets the flags as it takes them.
func calling[In, Taken, Out any](
	open opener, cmd *cobra.Command, do func(context.Context, *session, *In, Taken) (Out, error), show func(*session, Out) error,
) *cobra.Command {
	return showing(open, cmd, func(ctx context.Context, s *session, in *In) (out Out, err error) {
		taken, err := input.Read(in, *new(Taken))
		if err != nil {
			return out, err
		}
		return do(ctx, s, in, taken)
	}, show)
}

// limitsOf is the annotation for the limits of a flag, which docs/cli.md shows.
const limitsOf = "limits"

// choicesOf is the annotation for the values of a flag, which shells complete.
const choicesOf = "choices"

// bind adds a flag for each field of a declaration, except those in without. What a field has is
// the default of its flag.
func bind(flags *pflag.FlagSet, in any, without ...string) {
	value := reflect.ValueOf(in).Elem()
	for _, f := range input.Fields(value.Type()) {
		name, usage := f.Flag(), uncapitalised(f.Doc())
		if enum := f.Enum(); enum != nil && !strings.Contains(usage, enum[len(enum)-1]) {
			usage += " (" + strings.Join(enum, ", ") + ")"
		}
		if name != "" && !slices.Contains(without, name) {
			bindField(flags, value.FieldByIndex(f.Index), name, f.Tag.Get("default"), usage)
			flags.Lookup(name).Annotations = map[string][]string{limitsOf: f.Limits(), choicesOf: f.Enum()}
			if f.Tag.Get("required") == "true" {
				_ = cobra.MarkFlagRequired(flags, name) // it fails only for an unknown flag
			}
		}
	}
}

func bindField(flags *pflag.FlagSet, field reflect.Value, name, usual, usage string) {
	number, _ := strconv.Atoi(usual)
	if field.Kind() == reflect.String { // also for named string types
		flags.StringVar(field.Addr().Convert(reflect.TypeFor[*string]()).Interface().(*string), name, cmp.Or(field.String(), usual), usage)
		return
	}
	switch option := field.Addr().Interface().(type) {
	case *[]string:
		flags.StringSliceVar(option, name, *option, usage)
	case *[]int:
		flags.IntSliceVar(option, name, *option, usage)
	case *bool:
		flags.BoolVar(option, name, *option, usage)
	case *int:
		flags.IntVar(option, name, cmp.Or(*option, number), usage)
	case *float64:
		flags.Float64Var(option, name, *option, usage)
	case *input.Object:
		flags.Var(given{"string", func(text string) error {
			option.RawMessage = []byte(text)
			return nil
		}}, name, usage)
	case **input.Object:
		flags.Var(given{"string", func(text string) error {
			*option = &input.Object{RawMessage: []byte(text)}
			return nil
		}}, name, usage)
	case **string:
		flags.Var(given{"string", func(text string) error {
			*option = &text
			return nil
		}}, name, usage)
	case **int32:
		flags.Var(given{"int32", func(text string) error {
			n, err := strconv.ParseInt(text, 10, 32)
			*option = new(int32(n))
			return err
		}}, name, usage)
	default:
		panic("annals: --" + name + " has the type " + field.Type().String() + ", which no flag has")
	}
}

// given is a flag that has no default. read keeps what is given for it; the library checks it.
type given struct {
	kind string // the type that the help shows
	read func(string) error
}

// Set reads the value.
func (g given) Set(text string) error { return g.read(text) }

// String returns the default: none.
func (given) String() string { return "" }

// Type returns the type that the help shows.
func (g given) Type() string { return g.kind }

// asFlag replaces the name of a field in an error by the name of its flag.
func asFlag(in any, err error) error {
	if wrong, ok := errors.AsType[*annals.Error](err); ok {
		for _, f := range input.Fields(reflect.TypeOf(in).Elem()) {
			if f.Name == wrong.Field && f.Flag() != "" {
				wrong.Field = f.Flag()
				break
			}
		}
	}
	return err
}

func uncapitalised(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(first)) + s[size:]
}

// explainFlag improves an error about a flag: what its value should be, not how Go parsed it, and
// which flag an unknown one may stand for.
func explainFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
		return err
	}
	kinds := map[string]string{
		"int": "is no whole number", "int32": "is no whole number", "int64": "is no whole number", "float64": "is no number",
		"bool": "is neither true nor false", "duration": "is no length of time, as 90s, 5m or 1h30m are", "intSlice": "are no whole numbers, as 350,750 are",
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	flag := invalid.GetFlag()
	is, known := kinds[flag.Value.Type()]
	if !known {
		return err
	}
	if errors.Is(err, strconv.ErrRange) {
		is = "is too large"
	}
	return graph.Invalid(flag.Name, "%q %s", invalid.GetValue(), is)
}
