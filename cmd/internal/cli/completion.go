package cli

import "embed"

//go:embed shell
var scripts embed.FS

var shells = []string{"bash", "zsh", "fish"}

// completionCmd prints what makes a shell complete command lines.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help tells how the script is used.
func (*completionCmd) Help() string {
	return "bash: put  source <(handex completion bash)  into ~/.bashrc.\n\n" +
		"zsh: put  source <(handex completion zsh)  into ~/.zshrc, behind compinit.\n\n" +
		"fish: handex completion fish > ~/.config/fish/completions/handex.fish\n\n" +
		"Values as those behind project: come from the index as it is."
}

// Run prints the script.
func (c *completionCmd) Run(a *app) error {
	script, err := scripts.ReadFile("shell/handex." + c.Shell)
	if err != nil {
		return err
	}
	_, err = a.out.Write(script)
	return err
}
