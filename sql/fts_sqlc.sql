-- What sqlc reads in place of the tables of fts.sql, whose hidden columns it
-- rejects. Never executed. A test prepares every query against the real ones.

CREATE TABLE fts (
  rowid INTEGER PRIMARY KEY,
  done       TEXT NOT NULL,
  title      TEXT NOT NULL,
  heading    TEXT NOT NULL,
  goal       TEXT NOT NULL,
  state      TEXT NOT NULL,
  next       TEXT NOT NULL,
  gotchas    TEXT NOT NULL,
  risks      TEXT NOT NULL,
  blockers   TEXT NOT NULL,
  questions  TEXT NOT NULL,
  human      TEXT NOT NULL,
  decisions  TEXT NOT NULL,
  approaches TEXT NOT NULL,
  worked     TEXT NOT NULL,
  failed     TEXT NOT NULL,
  partial    TEXT NOT NULL,
  context    TEXT NOT NULL,
  advice     TEXT NOT NULL,
  reflection TEXT NOT NULL,
  hypothesis TEXT NOT NULL,
  outcome    TEXT NOT NULL,
  checks     TEXT NOT NULL,
  files      TEXT NOT NULL,
  other      TEXT NOT NULL,
  head       TEXT NOT NULL,
  name       TEXT NOT NULL,
  meta       TEXT NOT NULL,
  rank       REAL NOT NULL,
  fts        TEXT NOT NULL
);

CREATE TABLE stem (
  rowid INTEGER PRIMARY KEY,
  term  TEXT NOT NULL,
  rank  REAL NOT NULL,
  stem  TEXT NOT NULL
);

CREATE TABLE part (
  rowid INTEGER PRIMARY KEY,
  term  TEXT NOT NULL,
  rank  REAL NOT NULL,
  part  TEXT NOT NULL
);

CREATE TABLE fts_vocab (
  term TEXT    NOT NULL,
  doc  INTEGER NOT NULL,
  cnt  INTEGER NOT NULL
);

-- The tables of staging.sql.
CREATE TABLE incoming (
  id         INTEGER NOT NULL,
  title      TEXT NOT NULL,
  heading    TEXT NOT NULL,
  goal       TEXT NOT NULL,
  state      TEXT NOT NULL,
  next       TEXT NOT NULL,
  done       TEXT NOT NULL,
  gotchas    TEXT NOT NULL,
  risks      TEXT NOT NULL,
  blockers   TEXT NOT NULL,
  questions  TEXT NOT NULL,
  human      TEXT NOT NULL,
  decisions  TEXT NOT NULL,
  approaches TEXT NOT NULL,
  worked     TEXT NOT NULL,
  failed     TEXT NOT NULL,
  partial    TEXT NOT NULL,
  context    TEXT NOT NULL,
  advice     TEXT NOT NULL,
  reflection TEXT NOT NULL,
  hypothesis TEXT NOT NULL,
  outcome    TEXT NOT NULL,
  checks     TEXT NOT NULL,
  files      TEXT NOT NULL,
  other      TEXT NOT NULL,
  head       TEXT NOT NULL,
  name       TEXT NOT NULL,
  meta       TEXT NOT NULL
);

CREATE TABLE fresh (
  rowid INTEGER PRIMARY KEY,
  text  TEXT NOT NULL,
  fresh TEXT NOT NULL
);

CREATE TABLE fresh_vocab (
  term TEXT    NOT NULL,
  doc  INTEGER NOT NULL,
  cnt  INTEGER NOT NULL
);
