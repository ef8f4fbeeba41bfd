package render_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/render"
)

func TestRoff(t *testing.T) {
	r := render.NewRoff("a-b", "1", `x "1"`, "m")
	r.Section("NAME")
	r.Text("a\n\n  .so /etc/passwd\n'br\nb\\c")
	r.Item("--flag='x'", ".it")
	r.Verbatim("é…\n.fi\n")
	want := `.TH "A\-B" "1" "" "x \(dq1\(dq" "m"
.nh
.ad l
.SH "NAME"
.PP
a
.PP
.nf
  .so /etc/passwd
.fi
\(aqbr
b\ec
.TP
\fB\-\-flag=\(aqx\(aq\fR
\&.it
.PP
.nf
\[u00E9]\[u2026]
\&.fi
.fi
`
	if diff := cmp.Diff(want, r.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
