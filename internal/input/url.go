package input

import (
	"fmt"
	"net/url"
	"reflect"
)

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
