package main

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
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
			flags.Lookup(name).Annotations = map[string][]string{limitsOf: f.Limits()}
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
	case *int64:
		flags.Int64Var(option, name, *option, usage)
	case *float64:
		flags.Float64Var(option, name, *option, usage)
	case *time.Duration:
		flags.DurationVar(option, name, *option, usage)
	case *input.Object:
		flags.Var(object{option}, name, usage)
	case **input.Object:
		flags.Var(given[input.Object]{option, func(text string) (*input.Object, error) { return &input.Object{RawMessage: []byte(text)}, nil }}, name, usage)
	case **string:
		flags.Var(given[string]{option, func(text string) (*string, error) { return &text, nil }}, name, usage)
	case **int32:
		flags.Var(given[int32]{option, func(text string) (*int32, error) {
			n, err := strconv.ParseInt(text, 10, 32)
			return new(int32(n)), err
		}}, name, usage)
	default:
		panic("annals: --" + name + " has the type " + field.Type().String() + ", which no flag has")
	}
}

// given is a flag whose value is nil unless it is set.
type given[T any] struct {
	value **T
	read  func(string) (*T, error)
}

// Set parses the value.
func (g given[T]) Set(text string) (err error) {
	*g.value, err = g.read(text)
	return err
}

// String returns the default: none.
func (g given[T]) String() string { return "" }

// Type returns the type that the help shows.
func (g given[T]) Type() string {
	if _, number := any(g.value).(**int32); number {
		return "int32"
	}
	return "string"
}

// object is a flag with a JSON object.
type object struct{ value *input.Object }

// Set keeps the text; the library checks it.
func (o object) Set(text string) error {
	o.value.RawMessage = []byte(text)
	return nil
}

// String returns the default: none.
func (o object) String() string { return "" }

// Type returns the type that the help shows.
func (o object) Type() string { return "string" }

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
