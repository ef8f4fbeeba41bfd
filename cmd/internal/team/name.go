package team

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

var (
	memberName = lazy(`^[a-z0-9][a-z0-9._-]{0,63}@[a-z0-9][a-z0-9._-]{0,63}$`)
	scpForm    = lazy(`^([A-Za-z0-9._][A-Za-z0-9._-]*@)?([A-Za-z0-9][A-Za-z0-9._-]*):([^:].*)$`)
	hashForm   = lazy(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
)

// lazy compiles a pattern when it is first used: most commands use none of them.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// isMember reports whether a text is a member, as ada@laptop.
func isMember(name string) bool {
	if !memberName().MatchString(name) || strings.Contains(name, "..") {
		return false
	}
	user, machine, _ := strings.Cut(name, "@")
	for _, part := range []string{user, machine} {
		if strings.HasSuffix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// part returns a text as one half of a member: lower case, with a hyphen for what has no
// place in it; "" if nothing is left.
func part(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, strings.ToLower(strings.TrimSpace(text)))
	for strings.Contains(text, "..") {
		text = strings.ReplaceAll(text, "..", ".")
	}
	text = strings.Trim(text[:min(len(text), 64)], "._-")
	for strings.HasSuffix(text, ".lock") {
		text = strings.TrimSuffix(text, ".lock")
	}
	return text
}

// Address returns the URL by which git reaches a remote. Relative paths are relative to
// dir. It refuses those that could make git run a program or read an option.
func Address(remote, dir string) (string, error) {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	scheme, rest, ok := strings.Cut(remote, "://")
	switch {
	case remote == "" || strings.HasPrefix(remote, "-") || strings.ContainsFunc(remote, unprintable):
		return "", fmt.Errorf("%q is not the address of a remote", remote)
	case ok && !strings.Contains(scheme, ":"):
		u, err := url.Parse(remote)
		if err != nil || strings.HasPrefix(u.Host, "-") || u.Path == "" {
			return "", fmt.Errorf("%q is not the address of a remote", Shown(remote))
		}
		switch scheme {
		case "https", "http", "ssh":
			if u.Host != "" {
				return remote, nil
			}
		case "file":
			if strings.HasPrefix(rest, "/") {
				return remote, nil
			}
		}
		return "", fmt.Errorf("the scheme of %q is not supported; use https, http, ssh or file", Shown(remote))
	case strings.Contains(strings.SplitN(remote, "/", 2)[0], "::"):
		return "", fmt.Errorf("%q is not allowed: it would run a program", remote)
	case scpForm().MatchString(remote) && !filepath.IsAbs(remote):
		return remote, nil
	case strings.Contains(strings.SplitN(remote, "/", 2)[0], ":"):
		return "", fmt.Errorf("%q is not the address of a remote", remote)
	case !filepath.IsAbs(remote):
		remote = filepath.Join(dir, remote)
	}
	return "file://" + filepath.ToSlash(filepath.Clean(remote)), nil
}

// Shown returns an address without the password in it.
func Shown(remote string) string {
	scheme, rest, ok := strings.Cut(remote, "://")
	host, after, _ := strings.Cut(rest, "/")
	if at := strings.LastIndex(host, "@"); ok && at >= 0 && scheme != "ssh" {
		return scheme + "://" + host[at+1:] + "/" + after
	}
	return remote
}

// Key returns the name that a remote has on all machines, as github.com/acme/webshop.
func Key(address string) (string, error) {
	host, where := "file", strings.TrimPrefix(address, "file://")
	switch m := scpForm().FindStringSubmatch(address); {
	case strings.Contains(address, "://"):
		u, err := url.Parse(address)
		if err != nil {
			return "", fmt.Errorf("%q is not the address of a remote", Shown(address))
		}
		where = u.Path
		if u.Scheme != "file" {
			host = u.Hostname()
			if port := u.Port(); port != "" && port != "22" && port != "443" && port != "80" {
				host += "-" + port
			}
		}
	case m != nil:
		host, where = m[2], m[3]
	}
	where = strings.TrimSuffix(strings.Trim(path.Clean("/"+where), "/"), ".git")
	if where == "" {
		return "", errors.New("the remote has no path")
	}
	parts := strings.Split(strings.ToLower(host+"/"+where), "/")
	for i := range parts {
		parts[i] = encode(parts[i])
	}
	return strings.Join(parts, "/"), nil
}

// encode returns one component of a key, which is a name of a folder and of git's refs: a
// byte with a meaning there is written as % and two digits.
func encode(text string) string {
	if text == "clone" {
		return "%63lone" // a file of the mirror has that name
	}
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		plain := c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' && i > 0
		dot := c == '.' && i > 0 && i < len(text)-1 && text[i-1] != '.' && text[i:] != ".lock"
		if plain || dot {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

// isKey reports whether a text is what Key returns.
func isKey(key string) bool {
	if len(key) > 1000 {
		return false
	}
	for name := range strings.SplitSeq(key, "/") {
		text, err := url.PathUnescape(name)
		if err != nil || text == "" || len(name) > 200 || encode(text) != name {
			return false
		}
	}
	return true
}

// matches reports whether a key is meant by a pattern: the key itself, or the beginning of
// keys that end in "/*". "*" means all.
func matches(pattern, key string) bool {
	start, ok := strings.CutSuffix(pattern, "*")
	return pattern == key || ok && strings.HasPrefix(key, start) && (start == "" || strings.HasSuffix(start, "/"))
}

// isShareable reports whether a path, relative and with slashes, may be in a mirror:
// printable, of plain components, none of them git's own.
func isShareable(name string) bool {
	if len(name) > 1024 || !filepath.IsLocal(name) || path.Clean(name) != name || name == "." {
		return false
	}
	for _, r := range name {
		if !unicode.IsPrint(r) || r == '\\' || r == unicode.ReplacementChar {
			return false
		}
	}
	for component := range strings.SplitSeq(strings.ToLower(name), "/") {
		if component == ".git" || strings.HasPrefix(component, "git~") || len(component) > 255 {
			return false
		}
	}
	return true
}
