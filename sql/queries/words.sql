-- Words: what stemmed search and suggestions are drawn from.

-- TermsOfIndex fills term after a build.
-- name: TermsOfIndex :exec
INSERT INTO term (term)
SELECT term FROM fts_vocab
WHERE length(term) BETWEEN 3 AND 40 AND term NOT GLOB '*[^a-z]*'
ON CONFLICT (term) DO NOTHING;

-- FreshText splits the words of new handoffs.
-- name: FreshText :exec
INSERT INTO fresh (rowid, text)
SELECT id, title || ' ' || heading || ' ' || goal || ' ' || state || ' ' || next || ' ' || done || ' ' || gotchas || ' ' || risks || ' ' || blockers || ' ' || questions || ' ' || decisions || ' ' || approaches || ' ' || worked || ' ' || failed || ' ' || partial || ' ' || context || ' ' || advice || ' ' || reflection || ' ' || hypothesis || ' ' || outcome || ' ' || checks || ' ' || files || ' ' || other || ' ' || head
FROM body WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- TermsOfFresh adds those words to term.
-- name: TermsOfFresh :exec
INSERT INTO term (term)
SELECT term FROM fresh_vocab
WHERE length(term) BETWEEN 3 AND 40 AND term NOT GLOB '*[^a-z]*'
ON CONFLICT (term) DO NOTHING;

-- ForgetFresh empties the splitter.
-- name: ForgetFresh :exec
INSERT INTO fresh (fresh) VALUES ('delete-all');

-- Spellings are the words that share a stem with the one quoted in match.
-- name: Spellings :many
SELECT s.term FROM stem s WHERE s.stem MATCH sqlc.arg(match) ORDER BY s.term;

-- TermsOfLength packs the words of a length, a line each.
-- name: TermsOfLength :many
SELECT CAST(group_concat(term, char(10)) AS TEXT) AS pack
FROM term WHERE length(term) BETWEEN CAST(sqlc.arg(low) AS INTEGER) AND CAST(sqlc.arg(high) AS INTEGER)
GROUP BY id / 512;

-- name: WordInUse :many
SELECT term, doc FROM fts_vocab WHERE term = sqlc.arg(term);
