-- The full-text tables, executed and not read by sqlc (which rejects FTS5's
-- hidden columns; it reads fts_sqlc.sql instead).

-- done is first because fts5 needs two bytes less for each word of the first
-- column, and few columns have more words. No query needs the length of a text, so
-- it is not stored.
CREATE VIRTUAL TABLE fts USING fts5(
  done, title, heading, goal, state, next, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, name, meta,
  content = 'body', content_rowid = 'id', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2 separators '{isolates}'"
);

-- Stemmed search without a second index of all texts: stem contains each plain word
-- of term once under SQLite's own Porter stemmer, so the spellings that share the
-- stem of a query word are one MATCH away, and fts is searched for those.
CREATE VIEW plain_term AS
SELECT id, term FROM term WHERE length(term) BETWEEN 3 AND 40 AND term NOT GLOB '*[^a-z]*';

CREATE VIRTUAL TABLE stem USING fts5(
  term,
  content = 'plain_term', content_rowid = 'id', columnsize = 0,
  tokenize = "porter unicode61 remove_diacritics 2 separators '{isolates}'"
);

-- Parts of words without a trigram index of all texts: part contains the trigrams
-- of each word of term.
CREATE VIRTUAL TABLE part USING fts5(
  term,
  content = 'term', content_rowid = 'id', columnsize = 0, detail = 'none',
  tokenize = 'trigram case_sensitive 1'
);

CREATE VIRTUAL TABLE fts_vocab USING fts5vocab(fts, row);
