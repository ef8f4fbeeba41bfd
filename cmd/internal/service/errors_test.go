package service_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/OWNER/handex/cmd/internal/service"
)

// TestSystemErrors: errors of the system about a file are in plain words.
func TestSystemErrors(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "x")
	_, notThere := os.ReadFile(missing)
	_, noProgram := exec.LookPath("nosuchprogram")
	for _, c := range []struct {
		err  error
		want string
	}{
		{notThere, missing + ": no such file or folder"},
		{fmt.Errorf("keep it: %w", notThere), "keep it: " + missing + ": no such file or folder"},
		{&fs.PathError{Op: "open", Path: "/y", Err: syscall.EACCES}, "/y: you have no permission to read or change it"},
		{&fs.PathError{Op: "write", Path: "/y", Err: syscall.ENOSPC}, "/y: the disk is full"},
		{&fs.PathError{Op: "read", Path: "/y", Err: syscall.EISDIR}, "/y: it is a folder, not a file"},
		{&fs.PathError{Op: "read", Path: "/y", Err: syscall.EIO}, "read /y: input/output error"},
		{noProgram, "nosuchprogram is not installed, or not in PATH"},
	} {
		if got := service.Format(c.err); got != "handex: "+c.want+"\n" {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
