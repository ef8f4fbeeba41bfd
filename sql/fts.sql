-- The full-text tables, executed and not read by sqlc (which rejects FTS5's
-- hidden columns; fts_sqlc.sql stands in for them there).

-- done stands first because fts5 spends two bytes less on each word of the first
-- column, and few columns hold more. Nothing asks it how long a text is, so that
-- is not kept.
CREATE VIRTUAL TABLE fts USING fts5(
  done, title, heading, goal, state, next, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, meta,
  content = 'body', content_rowid = 'id', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2 separators '{isolates}'"
);

CREATE TRIGGER body_insert AFTER INSERT ON body BEGIN
  INSERT INTO fts (rowid, title, heading, goal, state, next, done, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, meta)
  VALUES (new.id, new.title, new.heading, new.goal, new.state, new.next, new.done, new.gotchas, new.risks, new.blockers, new.questions, new.human, new.decisions, new.approaches, new.worked, new.failed, new.partial, new.context, new.advice, new.reflection, new.hypothesis, new.outcome, new.checks, new.files, new.other, new.head, new.meta);
END;

CREATE TRIGGER body_delete AFTER DELETE ON body BEGIN
  INSERT INTO fts (fts, rowid, title, heading, goal, state, next, done, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, meta)
  VALUES ('delete', old.id, old.title, old.heading, old.goal, old.state, old.next, old.done, old.gotchas, old.risks, old.blockers, old.questions, old.human, old.decisions, old.approaches, old.worked, old.failed, old.partial, old.context, old.advice, old.reflection, old.hypothesis, old.outcome, old.checks, old.files, old.other, old.head, old.meta);
END;

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

CREATE TRIGGER term_insert_stem AFTER INSERT ON term BEGIN
  INSERT INTO stem (rowid, term) SELECT id, term FROM plain_term WHERE id = new.id;
END;

-- Parts of words without a trigram index of all texts: part holds the trigrams
-- of each word of term.
CREATE VIRTUAL TABLE part USING fts5(
  term,
  content = 'term', content_rowid = 'id', columnsize = 0, detail = 'none',
  tokenize = 'trigram case_sensitive 1'
);

CREATE TRIGGER term_insert_part AFTER INSERT ON term BEGIN
  INSERT INTO part (rowid, term) VALUES (new.id, new.term);
END;

CREATE VIRTUAL TABLE fts_vocab USING fts5vocab(fts, row);
