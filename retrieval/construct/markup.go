package construct

import (
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/pattern"
)

// tag finds the names of the tags that a template writes.
var tag = pattern.New(`<\s*/?\s*([\pL_](?:[\pL\pN_:.-]*[\pL\pN_])?)`)

// fenceOf is a fence against markup that no prompt allows, and against the tags of the templates.
func fenceOf(templates ...string) fence.Fence {
	var tags []string
	for _, template := range templates {
		for _, found := range tag().FindAllStringSubmatch(template, -1) {
			tags = append(tags, found[1])
		}
	}
	return fence.New(tags...)
}
