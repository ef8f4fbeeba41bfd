package redact

// A secret is a kind of credential: the words of which a text must contain one for
// its pattern to be tried, and the pattern. What the group named s matches is masked,
// or else all of it.
type secret struct {
	name    string
	any     []string
	pattern string
	digit   bool // what is masked must contain one: words are not secrets
}

// secrets are recognized by what they begin with, so that ordinary words, hashes and
// identifiers are left alone. The last two are recognized by the word before them.
var secrets = []secret{
	{"private key", []string{"PRIVATE KEY"}, `-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-[^-])*-----END ` +
		`[A-Z ]*PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s]*)`, false},
	{
		"GitHub token",
		[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		`\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255})`, false,
	},
	{"GitLab token", []string{
		"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-", "glffct-", "glft-", "glimt-",
		"glagent-", "gloas-", "GR1348941",
	}, `\b(?:gl(?:pat|dt|rt|cbt|ptt|soat|ffct|ft|imt|agent|oas)-[A-Za-z0-9_.-]{16,}|` +
		`GR1348941[A-Za-z0-9_-]{20})`, false},
	{"Anthropic key", []string{"sk-ant-"}, `\bsk-ant-[A-Za-z0-9_-]{16,}`, false},
	{"OpenAI key", []string{"sk-"}, `\bsk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9_-]{20,})`, true},
	{
		"AWS key id",
		[]string{"AKIA", "ASIA", "ABIA", "ACCA", "A3T"},
		`\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}\b`,
		false,
	},
	{"Google key", []string{"AIza"}, `\bAIza[A-Za-z0-9_-]{35}`, false},
	{"Google token", []string{"ya29.", "GOCSPX-"}, `\b(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})`, false},
	{"Slack token", []string{"xox", "xapp-"}, `\b(?:(?:xoxe\.)?xox[abeoprs]-[A-Za-z0-9-]{10,}|` +
		`xapp-[0-9]-[A-Za-z0-9-]{10,})`, false},
	{
		"Slack webhook",
		[]string{"hooks.slack.com/"},
		`hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/_-]{20,})`, false,
	},
	{
		"Discord webhook",
		[]string{"/api/webhooks/"},
		`discord(?:app)?\.com/api/webhooks/(?P<s>[0-9]{15,}/[A-Za-z0-9_-]{30,})`, false,
	},
	{
		"Stripe key",
		[]string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"},
		`\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,})`, false,
	},
	{"npm token", []string{"npm_"}, `\bnpm_[A-Za-z0-9]{36}`, false},
	{"PyPI token", []string{"pypi-"}, `\bpypi-[A-Za-z0-9_-]{40,}`, false},
	{"Hugging Face token", []string{"hf_"}, `\bhf_[A-Za-z0-9]{30,}`, false},
	{"SendGrid key", []string{"SG."}, `\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, false},
	{"Mailgun or Mailchimp key", []string{"key-", "-us"}, `\b(?:key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2})\b`, false},
	{"Twilio key", []string{"SK", "AC"}, `\b(?:SK|AC)[0-9a-f]{32}\b`, false},
	{"Shopify token", []string{"shp"}, `\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`, false},
	{"DigitalOcean token", []string{"_v1_"}, `\bdo[opr]_v1_[0-9a-f]{64}`, false},
	{
		"Supabase, Linear, Notion, Vercel and other tokens",
		[]string{
			"sbp_", "lin_api_", "ntn_", "secret_", "vercel_",
			"dapi", "nvapi-", "gsk_", "xai-", "r8_", "pplx-", "fo1_", "FlyV1", "tskey-", "dckr_pat_", "figd_", "PMAK-", "glsa_",
			"rnd_", "cfut_",
		},
		`\b(?:sbp_[0-9a-f]{40}|lin_api_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,}|` +
			`vercel_[A-Za-z0-9]{20,}|dapi[0-9a-f]{32}|nvapi-[A-Za-z0-9_-]{40,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|` +
			`r8_[A-Za-z0-9]{30,}|pplx-[A-Za-z0-9]{40,}|fo1_[A-Za-z0-9_-]{40,}|FlyV1 [A-Za-z0-9_+/=,-]{40,}|` +
			`tskey-[a-z]+-[A-Za-z0-9-]{16,}|dckr_pat_[A-Za-z0-9_-]{20,}|figd_[A-Za-z0-9_-]{30,}|` +
			`PMAK-[0-9a-f]{24}-[0-9a-f]{34}|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|rnd_[A-Za-z0-9]{30,}|cfut_[A-Za-z0-9]{40,})`,
		false,
	},
	{
		"1Password key",
		[]string{"A3-", "ops_eyJ"},
		`\b(?:A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}|` +
			`ops_eyJ[A-Za-z0-9+/=]{100,})`, false,
	},
	{"Vault token", []string{"hvs.", "hvb."}, `\bhv[sb]\.[A-Za-z0-9_-]{24,}`, false},
	{"Terraform token", []string{".atlasv1."}, `\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}`, false},
	{"Sentry token", []string{"sntrys_", "sntryu_"}, `\bsntry(?:s_[A-Za-z0-9+/=_-]{40,}|u_[0-9a-f]{64})`, false},
	{"Grafana token", []string{"glc_", "eyJrIjoi"}, `\b(?:glc_[A-Za-z0-9+/=]{32,}|eyJrIjoi[A-Za-z0-9+/=]{60,})`, false},
	{
		"Doppler or Dynatrace token",
		[]string{"dp.", "dt0c01."},
		`\b(?:dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}|` +
			`dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64})`, false,
	},
	{
		"Heroku, Octopus or Pulumi key",
		[]string{"HRKU-", "API-", "pul-"},
		`\b(?:HRKU-AA[A-Za-z0-9_-]{58}|API-[A-Z0-9]{26}\b|pul-[0-9a-f]{40})`, false,
	},
	{
		"Harness or Azure secret",
		[]string{"pat.", "sat.", "Q~"},
		`\b(?:[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}|` +
			`[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34})`, false,
	},
	{"Airtable token", []string{"pat"}, `pat[A-Za-z0-9]{14}\.[0-9a-f]{64}`, false},
	{
		"Alibaba, Artifactory or Bedrock key",
		[]string{"LTAI", "AKCp", "cmVmd", "ABSK", "bedrock-api-key-"},
		`\b(?:LTAI[A-Za-z0-9]{20}|AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}|ABSK[A-Za-z0-9+/]{100,}={0,2}|` +
			`bedrock-api-key-[A-Za-z0-9+/=]{20,})`, false,
	},
	{"PlanetScale token", []string{"pscale_"}, `\bpscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,64}`, false},
	{
		"Cloudflare or ClickHouse key",
		[]string{"v1.0-", "4b1d"},
		`\b(?:v1\.0-[0-9a-f]{24}-[0-9a-f]{146}|4b1d[A-Za-z0-9]{38}\b)`, false,
	},
	{
		"package registry token",
		[]string{"rubygems_", "CLOJARS_", "oy2", "cio"},
		`\b(?:rubygems_[0-9a-f]{48}|CLOJARS_[A-Za-z0-9]{60}|oy2[a-z0-9]{43}\b|cio[A-Za-z0-9]{32}\b)`, false,
	},
	{
		"payment key",
		[]string{"EZAK", "EZTK", "FLWSECK", "shippo_", "EAAA", "sq0atp-", "sq0csp-", "duffel_"},
		`\b(?:EZ[AT]K[A-Za-z0-9]{54}|FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?|shippo_(?:live|test)_[0-9a-fA-F]{40}|` +
			`(?:EAAA|sq0atp-|sq0csp-)[A-Za-z0-9_-]{22,60}|duffel_(?:test|live)_[A-Za-z0-9_=-]{43})`, false,
	},
	{"Facebook token", []string{"EAAM", "EAAC"}, `\bEAA[MC][A-Za-z0-9]{100,}`, false},
	{
		"Teams webhook",
		[]string{".webhook.office.com/"},
		`\.webhook\.office\.com/webhookb2/(?P<s>[A-Za-z0-9@/-]{100,})`,
		false,
	},
	{"session cookie", []string{"_gitlab_session="}, `_gitlab_session=(?P<s>[0-9a-z]{32})`, false},
	{"access token", []string{
		"p8e-", "fio-u-", "api_org_", "ico-", "s-s4t2", "_mmk", "sha256~", "pnu_", "rdme_", "tk-us-",
		"xkeysib-", "sm_", "sgp_", "fm1", "fm2_",
	}, `\b(?:p8e-[A-Za-z0-9]{32}|fio-u-[A-Za-z0-9_=-]{64}|` +
		`api_org_[A-Za-z]{34}|ico-[A-Za-z0-9]{32}|s-s4t2(?:ud|af)-[0-9a-fA-F]{64}|[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk|` +
		`sha256~[A-Za-z0-9_-]{43}|pnu_[A-Za-z0-9]{36}|rdme_[a-z0-9]{70}|tk-us-[A-Za-z0-9_-]{48}|` +
		`xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|sm_[aps]at_[A-Za-z0-9]{16}|sgp_(?:[A-Za-z0-9]{5,16}_)?[0-9a-fA-F]{40}|` +
		`fm1[ar]_[A-Za-z0-9+/]{100,}|fm2_[A-Za-z0-9+/]{100,})`, false},
	{"Telegram bot token", []string{":AA"}, `\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}\b`, false},
	{
		"Azure key",
		[]string{"AccountKey=", "SharedAccessKey=", "sig="},
		`(?:AccountKey=|SharedAccessKey=|[?&]sig=)(?P<s>[A-Za-z0-9+/%]{30,}={0,2})`, false,
	},
	{"age key", []string{"AGE-SECRET-KEY-1"}, `AGE-SECRET-KEY-1[0-9A-Z]{40,}`, false},
	{"JSON web token", []string{"eyJ"}, `\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`, false},
	{"password in an address", []string{"://"}, `\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s:/@]*:(?P<s>[^\s@/]{3,})@`, false},
	{
		"bearer token",
		[]string{"earer ", "asic "},
		`(?i)\b(?:authorization:\s*)?(?:bearer|basic)\s+(?P<s>[A-Za-z0-9_.+/=-]{20,})`, true,
	},
	{"password", []string{
		"assword", "asswd", "ASSWORD", "ecret", "ECRET", "oken", "OKEN", "api", "API", "Api", "PASS",
		"_pass", "_key", "-key", "_KEY", "Key", "sskey", "redential", "REDENTIAL",
	}, `(?i)\b[a-z0-9_-]*(?:password|passwd|` +
		`_pass|secret|token|credentials?|(?:api|access|auth|encryption|signing|master)[_-]?key)["'` + "`" +
		`]{0,2}\s*[=:]\s*["'` + "`" + `]{0,2}(?P<s>[A-Za-z0-9_+/.!@#$%^&*=-]{12,})`, true},
}
