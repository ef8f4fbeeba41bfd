-- The full-text tables, executed and not read by sqlc (which rejects FTS5's
-- hidden columns; fts_sqlc.sql stands in for them there).

-- done stands first because fts5 spends two bytes less on each word of the first
-- column, and few columns hold more. Nothing asks it how long a text is, so that
-- is not kept.
CREATE VIRTUAL TABLE fts USING fts5(
  done, title, heading, goal, state, next, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, name, meta,
  content = 'body', content_rowid = 'id', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2 separators '{isolates}'"
);

-- Stemmed search without a second index of all texts: stem holds each plain word
-- of term once under SQLite's own Porter stemmer, so the spellings that share the
-- stem of a query word are one MATCH away, and fts is asked for those.
CREATE VIEW plain_term AS
SELECT id, term FROM term WHERE length(term) BETWEEN 3 AND 40 AND term NOT GLOB '*[^a-z]*';

CREATE VIRTUAL TABLE stem USING fts5(
  term,
  content = 'plain_term', content_rowid = 'id', columnsize = 0,
  tokenize = "porter unicode61 remove_diacritics 2 separators '{isolates}'"
);

-- Parts of words without a trigram index of all texts: part holds the trigrams
-- of each word of term.
CREATE VIRTUAL TABLE part USING fts5(
  term,
  content = 'term', content_rowid = 'id', columnsize = 0, detail = 'none',
  tokenize = 'trigram case_sensitive 1'
);

CREATE VIRTUAL TABLE fts_vocab USING fts5vocab(fts, row);
