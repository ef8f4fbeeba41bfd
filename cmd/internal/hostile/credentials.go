package hostile

import (
	"strconv"
	"strings"
)

// A Credential is made up. Text is how it may stand in a handoff, Secret the
// longest part of it that is secret.
type Credential struct{ Text, Secret string }

// Credentials are one of each kind, made of seed, so that no file of ours holds
// any.
func Credentials(seed int) []Credential {
	list := make([]Credential, len(credentials))
	for i, parts := range credentials {
		list[i] = madeUp(parts, seed)
	}
	return list
}

// credentials are the parts of each: a letter and a number are so many signs of an
// alphabet, all else stands as it is.
var credentials = []string{
	"ghp_|X36", "gho_|X36", "ghu_|X36", "ghs_|X36", "ghr_|X36", "github_pat_|X22|_|X59",
	"glpat-|X20", "gldt-|X20", "glft-|X20", "glimt-|X25", "glagent-|X50", "gloas-|X64", "glcbt-|X2|_|X20", "glptt-|H40", "glrt-|X20", "glsoat-|X20", "GR1348941|X20",
	"sk-ant-|api03-|X93|AA", "sk-ant-|admin01-|X93|AA", "sk-proj-|X74|T3BlbkFJ|X74", "sk-|X20|T3BlbkFJ|X20", "sk-|X48",
	"AKIA|U16", "ASIA|U16", "ABSK|X120", "AIza|X35", "ya29.|X40", "GOCSPX-|X28",
	"xoxb-|D11|-|D12|-|X24", "xoxp-|D11|-|D11|-|D12|-|X30", "xapp-1-|X11|-|D12|-|X40", "hooks.slack.com/services/|T|U8|/B|U8|/|X24",
	"https://discord.com/api/webhooks/|D18|/|X68", "sk_live_|X24", "rk_test_|X24", "whsec_|X32", "npm_|X36", "pypi-|AgEIcHlwaS5vcmc|X60",
	"hf_|A34", "api_org_|A34", "SG.|X22|.|X43", "SK|H32", "AC|H32", "shpat_|H32", "shpca_|H32", "shppa_|H32", "shpss_|H32",
	"dop_v1_|H64", "doo_v1_|H64", "sbp_|H40", "lin_api_|X40", "ntn_|D11|X35", "gsk_|X52", "dckr_pat_|X27", "tskey-auth-|X30", "pplx-|X48", "dapi|H32", "PMAK-|H24|-|H34",
	"glsa_|X32|_|H8", "glc_|X40", "hvs.|X95", "dp.pt.|X43", "dt0c01.|X24|.|X64", "sntryu_|H64", "pul-|H40", "rubygems_|H48", "CLOJARS_|L60",
	"EZAK|X54", "EZTK|X54", "shippo_live_|H40", "duffel_test_|X43", "FLWSECK_TEST-|Y32|-X", "sq0atp-|X22", "LTAI|X20", "AKCp|X69", "cmVmd|X59",
	"pscale_tkn_|X43", "pscale_pw_|X43", "v1.0-|H24|-|H146", "4b1d|X38", "HRKU-AA|X58", "API-|U26", "pat|X14|.|H64", "pat.|X22|.|X24|.|X20", "X3|8Q~|X34",
	"X14|.atlasv1.|X64", "A3-|U6|-|U11|-|U5|-|U5|-|U5", "p8e-|X32", "fio-u-|X64", "ico-|X32", "s-s4t2ud-|H64", "X6|_|X29|_mmk", "sha256~|X43", "pnu_|X36", "rdme_|L70",
	"tk-us-|X48", "xkeysib-|H64|-|X16", "sm_pat_|X16", "sgp_|H40", "fo1_|X43", "fm2_|X120", "EAAM|X120", "_gitlab_session=|L32",
	"AGE-SECRET-KEY-1|Q58", "eyJhbGciOiJIUzI1NiJ9|.eyJzdWIiOiIxMjM0|X30|.|X43", "postgres://app:|X20|@db.internal/app",
	"Authorization: Bearer |X40", "password=|X16", "API_KEY: |X32", "client_secret = \"|X40|\"", "aws_access_key: |X32", "DefaultEndpointsProtocol=https;AccountKey=|X86|==",
	"D9|:|AA|X33", "-----BEGIN RSA PRIVATE KEY-----| |X64| |X64| |-----END RSA PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----|\n|X64|\n|X64|\n|-----END PRIVATE KEY-----",
}

// alphabets are by their letters: X any letters and digits, L small ones, A small
// letters, D digits, H hexadecimal, Y those up to h, U capitals of base 32, Q those
// of bech32.
var alphabets = map[byte]string{
	'X': "aB3dE5gH7jK9mN2pQ4sT6vW8yZ1cF0", 'L': "a3b5c7d9e2f4g6h8j1k0m", 'A': "abcdefghijklmnopqrstuvwxyz", 'D': "1234567890",
	'H': "0123456789abcdef", 'Y': "abcdefgh12345678", 'U': "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 'Q': "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

func madeUp(parts string, seed int) (c Credential) {
	for part := range strings.SplitSeq(parts, "|") {
		n, err := strconv.Atoi(part[min(len(part), 1):])
		if err != nil || alphabets[part[0]] == "" {
			c.Text += part
			continue
		}
		run := signs(alphabets[part[0]], n, seed)
		c.Text += run
		if len(run) > len(c.Secret) {
			c.Secret = run
		}
	}
	return c
}

// signs are n signs of an alphabet in no order that is told.
func signs(alphabet string, n, seed int) string {
	text, state := make([]byte, n), uint32(seed*7919+n)
	for i := range text {
		state = state*1664525 + 1013904223
		text[i] = alphabet[int(state>>16)%len(alphabet)]
	}
	return string(text)
}
