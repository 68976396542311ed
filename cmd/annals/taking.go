package main

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

// taking adds the fields of In as flags to a command. Unless cmd.Args is set, the command takes no
// arguments. open is [app.withMemory] or [app.withClient].
func taking[In any](
	open func(func(context.Context, *session, []string) error) func(*cobra.Command, []string) error,
	cmd *cobra.Command, run func(ctx context.Context, s *session, in *In, args []string) error,
) *cobra.Command {
	in := new(In)
	bind(cmd.Flags(), in)
	for _, f := range input.Fields(reflect.TypeFor[In]()) {
		if f.Tag.Get("required") == "true" && f.Flag() != "" {
			if err := cmd.MarkFlagRequired(f.Flag()); err != nil {
				panic("annals: " + err.Error())
			}
		}
	}
	if cmd.Args == nil {
		cmd.Args = cobra.NoArgs
	}
	cmd.RunE = open(func(ctx context.Context, s *session, args []string) error { return asFlag(in, run(ctx, s, in, args)) })
	return cmd
}

// limitsOf is the annotation for the limits of a flag, which docs/cli.md shows.
const limitsOf = "limits"

// bind adds a flag for each field of a declaration, except those in without.
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
		}
	}
}

func bindField(flags *pflag.FlagSet, field reflect.Value, name, usual, usage string) {
	number, _ := strconv.Atoi(usual)
	if field.Kind() == reflect.String { // also for named string types
		flags.StringVar(field.Addr().Convert(reflect.TypeFor[*string]()).Interface().(*string), name, usual, usage)
		return
	}
	switch option := field.Addr().Interface().(type) {
	case *[]string:
		flags.StringSliceVar(option, name, nil, usage)
	case *bool:
		flags.BoolVar(option, name, false, usage)
	case *int:
		flags.IntVar(option, name, cmp.Or(*option, number), usage)
	case *float64:
		flags.Float64Var(option, name, 0, usage)
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
