package input

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// Object is a JSON object, kept as it was written.
type Object struct{ json.RawMessage }

// Read sets the fields of a library value to those of an input struct and returns the value. Zero
// fields of the input leave the value unchanged. An error names the field by its JSON name.
func Read[T any](in any, into T) (T, error) {
	err := read(reflect.Indirect(reflect.ValueOf(in)), reflect.ValueOf(&into).Elem())
	return into, err
}

// read is not compiled for each type.
func read(from, to reflect.Value) error {
	for _, f := range Fields(from.Type()) {
		said := from.FieldByIndex(f.Index)
		if said.IsZero() {
			continue
		}
		if place := f.in(to); place.IsValid() {
			if err := convert(f.Name, place, said); err != nil {
				return err
			}
		}
		if enum := f.Enum(); enum != nil && said.Kind() == reflect.String && !slices.Contains(enum, said.String()) {
			return graph.Invalid(f.Name, "%q is not one of %s", graph.Brief(said.String(), 40), strings.Join(enum, ", "))
		}
	}
	return nil
}

// Say is the reverse of [Read]: it returns the input struct for a library value.
func Say[In any](value any) In {
	var in In
	to, from := reflect.ValueOf(&in).Elem(), reflect.Indirect(reflect.ValueOf(value))
	for _, f := range Fields(to.Type()) {
		if place := f.in(from); place.IsValid() && !place.IsZero() {
			_ = convert(f.Name, to.FieldByIndex(f.Index), place) // every library value has an input
		}
	}
	return in
}

// in returns the library field that a field sets, or the zero Value if each interface handles it.
func (f Field) in(value reflect.Value) reflect.Value {
	tag, named := f.Tag.Lookup("to")
	if tag == "-" {
		return reflect.Value{}
	}
	if !named {
		tag = f.StructField.Name
	}
	for path := range strings.SplitSeq(tag, ",") {
		place := value
		for name := range strings.SplitSeq(path, ".") {
			if place.IsValid() {
				place = place.FieldByName(name)
			}
		}
		if place.IsValid() {
			return place
		}
	}
	panic("input: " + value.Type().String() + " has no field for " + f.Name)
}

// convert sets a field from another one that is not zero, converting between their types.
func convert(field string, to, from reflect.Value) (err error) {
	if from.Kind() == reflect.Pointer {
		return convert(field, to, from.Elem())
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		return convert(field, to.Elem(), from)
	}
	switch place := to.Addr().Interface().(type) {
	case *time.Time:
		if text, said := from.Interface().(string); said {
			*place, err = Time(field, text)
			return err
		}
	case *time.Duration:
		if text, said := from.Interface().(string); said {
			*place, err = graph.ParseDuration(field, text)
			return err
		}
	case *uuid.UUID:
		if text, said := from.Interface().(string); said {
			*place, err = readID(field, text)
			return err
		}
	case *graph.Trust:
		*place = graph.Trust(from.String())
		return graph.ValidateTrust(field, *place)
	case *json.RawMessage:
		if object, said := from.Interface().(Object); said {
			*place = object.RawMessage
			return nil
		}
	case *Object:
		*place = Object{from.Interface().(json.RawMessage)}
		return nil
	case *string:
		*place = written(from)
		return nil
	}
	if to.Kind() == reflect.Slice && !from.CanConvert(to.Type()) {
		to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			if err := convert(field, to.Index(i), from.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	to.Set(from.Convert(to.Type()))
	return nil
}

// written formats a value as text that [Read] can parse.
func written(from reflect.Value) string {
	switch value := from.Interface().(type) {
	case time.Time:
		if value.IsZero() {
			return ""
		}
		return value.UTC().Format(time.RFC3339Nano)
	case time.Duration:
		return value.String()
	case uuid.UUID:
		return value.String()
	}
	return from.String()
}

// Time parses a time as [graph.ParseTime] does, or "now".
func Time(field, text string) (time.Time, error) {
	if text == "now" {
		return time.Now().UTC(), nil
	}
	return graph.ParseTime(field, text)
}

func readID(field, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, graph.Invalid(field, "%q is no UUID", graph.Brief(text, 40))
	}
	return id, nil
}

// IDs parses the ids of a field.
func IDs(field string, texts []string) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, len(texts))
	for i, text := range texts {
		var err error
		if ids[i], err = readID(field, text); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// Values returns the fields of an input struct as URL parameters, without those that are zero.
func Values(in any) url.Values {
	values, from := url.Values{}, reflect.Indirect(reflect.ValueOf(in))
	for _, f := range Fields(from.Type()) {
		said := from.FieldByIndex(f.Index)
		switch {
		case said.IsZero():
		case said.Kind() == reflect.Slice:
			for i := range said.Len() {
				values.Add(f.Name, fmt.Sprint(said.Index(i)))
			}
		default:
			values.Set(f.Name, fmt.Sprint(said))
		}
	}
	return values
}
