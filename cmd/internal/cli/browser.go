package cli

import (
	"context"
	"os/exec"
	"runtime"
)

// browse starts the person's browser and does not wait for it.
func (a *app) browse(address string) error {
	name, args := browserCommand(runtime.GOOS, a.env.Getenv("BROWSER"))
	cmd := exec.CommandContext(context.WithoutCancel(a.ctx), name, append(args, address)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // it tells the person itself what went wrong
	return nil
}

// browserCommand is what opens an address on a system. BROWSER goes before it,
// where it names one program.
func browserCommand(system, browser string) (name string, args []string) {
	if browser != "" {
		return browser, nil
	}
	switch system {
	case "darwin":
		return "open", nil
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler"}
	}
	return "xdg-open", nil
}
