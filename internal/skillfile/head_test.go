package skillfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatAFileBeginsWith(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		head string
		want map[string]string
	}{
		{"name: fill-forms\ndescription: Fill forms: all of them.\nlicense: MIT\n", map[string]string{"name": "fill-forms", "description": "Fill forms: all of them.", "license": "MIT"}},
		{`description: "Say \"hello\" – caf\u00e9 a\/b"`, map[string]string{"description": `Say "hello" – café a/b`}},
		{"description: 'It''s done'", map[string]string{"description": "It's done"}},
		{"description: >-\n  Deploy a service.\n\n  Note: by helm.\nname: deploy", map[string]string{"description": "Deploy a service. Note: by helm.", "name": "deploy"}},
		{"description: Deploy\n  a service", map[string]string{"description": "Deploy a service"}},
		{"# a remark\nmetadata:\n  annals-id: \"7\"\n  author: me\nname: x", map[string]string{"metadata": "", "annals-id": "7", "author": "me", "name": "x"}},
		{"allowed-tools:\n  - Read\n  - Bash\nname: x", map[string]string{"allowed-tools": "", "name": "x"}},
		{"", map[string]string{}},
	} {
		got, err := headOf(tt.head)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%q (-want +got):\n%s%v", tt.head, diff, err)
		}
	}
	for _, head := range []string{"no setting", `name: "open`, "name: 'open", "name: [", "{"} {
		if got, err := headOf(head); err == nil {
			t.Errorf("%q is %v, want an error", head, got)
		}
	}
}
