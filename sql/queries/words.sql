-- Words, for searches for parts of words, stemmed search and
-- suggestions.

-- FreshText splits the words of new handoffs.
-- name: FreshText :exec
INSERT INTO fresh (rowid, text)
SELECT id, title || ' ' || heading || ' ' || goal || ' ' || state || ' ' || next || ' ' || done || ' ' || gotchas || ' ' || risks || ' ' || blockers || ' ' || questions || ' ' || human || ' ' || decisions || ' ' || approaches || ' ' || worked || ' ' || failed || ' ' || partial || ' ' || context || ' ' || advice || ' ' || reflection || ' ' || hypothesis || ' ' || outcome || ' ' || checks || ' ' || files || ' ' || other || ' ' || head || ' ' || name
FROM body WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- TermsOfFresh adds those words to term.
-- name: TermsOfFresh :exec
INSERT INTO term (term)
SELECT term FROM fresh_vocab WHERE true
ON CONFLICT (term) DO NOTHING;

-- ForgetFresh empties the splitter.
-- name: ForgetFresh :exec
INSERT INTO fresh (fresh) VALUES ('delete-all');

-- Spellings returns the words with the same stem as the one quoted in match.
-- name: Spellings :many
SELECT s.term FROM stem s WHERE s.stem MATCH sqlc.arg(match) ORDER BY s.term;

-- TermsOfLength packs the plain words of each length, one per line.
-- name: TermsOfLength :many
SELECT CAST(group_concat(term, char(10)) AS TEXT) AS pack
FROM term WHERE length(term) BETWEEN 3 AND 40 AND term NOT GLOB '*[^a-z]*'
  AND length(term) BETWEEN CAST(sqlc.arg(low) AS INTEGER) AND CAST(sqlc.arg(high) AS INTEGER)
GROUP BY length(term);

-- TermsWithTrigrams finds words by a pattern that contains a trigram.
-- name: TermsWithTrigrams :many
SELECT term FROM part WHERE term GLOB sqlc.arg(pattern) LIMIT sqlc.arg(n);

-- TermsWith checks all words.
-- name: TermsWith :many
SELECT term FROM term WHERE instr(term, sqlc.arg(part)) > 0 LIMIT sqlc.arg(n);

-- name: TermsFrom :many
SELECT term FROM term WHERE term >= sqlc.arg(low) AND term < sqlc.arg(high) LIMIT sqlc.arg(n);

-- CutTerms counts the words of which fts may have only the beginning.
-- name: CutTerms :one
SELECT count(*) FROM term WHERE octet_length(term) >= 32768;

-- name: WordInUse :many
SELECT term, doc FROM fts_vocab WHERE term = sqlc.arg(term);
