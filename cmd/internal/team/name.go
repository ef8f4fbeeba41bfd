package team

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// isHash reports whether a text has the form of the full id of a git object.
func isHash(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// splitSCP splits an address such as git@github.com:acme/webshop into host and path. ok is
// false if it does not have this form.
func splitSCP(address string) (host, where string, ok bool) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	before, where, ok := strings.Cut(address, ":")
	user, host, hasUser := strings.Cut(before, "@")
	if !hasUser {
		user, host = "git", before
	}
	isName := func(text string) bool { return text != "" && text[0] != '-' && strings.Trim(text, letters) == "" }
	ok = ok && isName(user) && isName(host) && !strings.ContainsAny(host[:1], "._") && where != "" && where[0] != ':'
	return host, where, ok
}

// part returns a text as the user or machine in the name of a member: in lower case, with
// hyphens for characters that are not allowed, and at most 64 bytes; "" if nothing is left.
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

// Address returns the URL with which git reaches a remote. A relative path is relative to
// dir. It refuses addresses that could make git run a program or read an option.
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
	case strings.Contains(strings.SplitN(remote, "/", 2)[0], ":"):
		if _, _, ok := splitSCP(remote); !ok || filepath.IsAbs(remote) {
			return "", fmt.Errorf("%q is not the address of a remote", remote)
		}
		return remote, nil
	case !filepath.IsAbs(remote):
		remote = filepath.Join(dir, remote)
	}
	return "file://" + filepath.ToSlash(filepath.Clean(remote)), nil
}

// Shown returns the address of a remote for people: without user name and password, except
// that ssh addresses keep the user.
func Shown(remote string) string {
	scheme, rest, ok := strings.Cut(remote, "://")
	host, after, _ := strings.Cut(rest, "/")
	if at := strings.LastIndex(host, "@"); ok && at >= 0 && scheme != "ssh" {
		return scheme + "://" + host[at+1:] + "/" + after
	}
	return remote
}

// Key returns the name of a remote that is the same on all machines, such as
// github.com/acme/webshop.
func Key(address string) (string, error) {
	host, where, isSCP := splitSCP(address)
	switch {
	case strings.Contains(address, "://"):
		u, err := url.Parse(address)
		if err != nil {
			return "", fmt.Errorf("%q is not the address of a remote", Shown(address))
		}
		host, where = "file", u.Path
		if u.Scheme != "file" {
			host = u.Hostname()
			if port := u.Port(); port != "" && port != "22" && port != "443" && port != "80" {
				host += "-" + port
			}
		}
	case !isSCP:
		host, where = "file", address
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

// encode returns a component of a key so that it can be the name of a folder and part of a
// git ref: bytes that are not allowed there are written as % and two hexadecimal digits.
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

// isKey reports whether a text has the form of a result of Key.
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

// matches reports whether a key matches a pattern: "*" matches all keys, a pattern that
// ends in "/*" all that begin like it, and any other only itself.
func matches(pattern, key string) bool {
	start, ok := strings.CutSuffix(pattern, "*")
	return pattern == key || ok && strings.HasPrefix(key, start) && (start == "" || strings.HasSuffix(start, "/"))
}

// isShareable reports whether a relative path with slashes may be that of a file in a
// mirror: it is printable and clean, stays below its folder, and has no component that
// belongs to git.
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
