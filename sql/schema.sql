-- The tables of the index. The index is derived data: a change here raises
-- Version in sql.go, and the next run builds a new file beside the old one.
-- Read by SQLite and by sqlc. Times are INTEGER milliseconds UTC unless a
-- column says nanoseconds. ASCII only: sqlc rejects anything else.

-- One row per fact about the index itself (zone it was built in, time of the
-- last refresh).
CREATE TABLE state (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A folder that is searched for handoffs. trouble is empty, or the reason why the
-- last refresh could not read it; its handoffs are kept.
CREATE TABLE root (
  id           INTEGER PRIMARY KEY,
  path         TEXT    NOT NULL UNIQUE,
  refreshed_at INTEGER NOT NULL,
  trouble      TEXT    NOT NULL
) STRICT;

-- A folder below a root, so that a refresh need not list it again. dev to
-- ctime_ns are its own state from before it was listed, 0 if it must be listed
-- again. rules is a fingerprint of what decided which of its entries matter, count
-- how many it had, entries those that do (packed as in package discover). states is a fingerprint of the states of its files, empty
-- if they must be compared one by one; while it matches, the rows of file with
-- this folder_id and root_id are right. deps are the different ones of those
-- rows, separated by char(30). row_sum detects damage, as the sums of handoff do; it
-- is over all but deps.
CREATE TABLE folder (
  id       INTEGER PRIMARY KEY,
  root_id  INTEGER NOT NULL REFERENCES root(id) DEFERRABLE INITIALLY DEFERRED,
  path     TEXT    NOT NULL UNIQUE,
  dev      INTEGER NOT NULL,
  ino      INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  rules    INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  states   TEXT    NOT NULL,
  entries  TEXT    NOT NULL,
  row_sum  INTEGER NOT NULL,
  deps     TEXT    NOT NULL
) STRICT;

-- root is the absolute folder, or, where no folder is known, the encoded
-- directory name. dir_v1 and dir_v2 are the two claude-suite encodings of it.
CREATE TABLE project (
  id     INTEGER PRIMARY KEY,
  root   TEXT NOT NULL UNIQUE,
  name   TEXT NOT NULL,
  dir_v1 TEXT NOT NULL,
  dir_v2 TEXT NOT NULL
) STRICT;

CREATE INDEX project_name ON project (name COLLATE NOCASE);

-- A file on disk. sha256 is the first half of it in hex. skip is empty, or the reason its text is not indexed.
-- deps is empty, or a JSON array of [path, size, mtime_ns, ctime_ns, ino, sum] of the neighbours
-- that were read with it, relative to its folder (size -1: it did not exist; -2: check again): a
-- change of one is a change of this file. origin is the path its public ids are made from,
-- empty if that is its own: a moved file keeps its ids. version_of is empty for a file
-- of a root; for an earlier content in the archive it is
-- the path it was at, mtime_ns the time it was written there, ctime_ns the mtime of
-- the copy, and revision the git commit it comes from, if from one. folder_id is the folder whose listing names
-- it, NULL if that is not known: a symbolic link leads to it, the archive contains
-- it, or a build that did not find it copied it.
CREATE TABLE file (
  id         INTEGER PRIMARY KEY,
  root_id    INTEGER NOT NULL REFERENCES root(id),
  folder_id  INTEGER REFERENCES folder(id) DEFERRABLE INITIALLY DEFERRED,
  path       TEXT    NOT NULL UNIQUE,
  origin     TEXT    NOT NULL,
  dev        INTEGER NOT NULL,
  ino        INTEGER NOT NULL,
  size       INTEGER NOT NULL,
  mtime_ns   INTEGER NOT NULL,
  ctime_ns   INTEGER NOT NULL,
  seen_ns    INTEGER NOT NULL,
  sha256     TEXT    NOT NULL,
  deps       TEXT    NOT NULL,
  skip       TEXT    NOT NULL,
  version_of TEXT    NOT NULL,
  revision   TEXT    NOT NULL
) STRICT;

CREATE INDEX file_version ON file (version_of) WHERE version_of <> '';
CREATE INDEX file_folder ON file (folder_id);
CREATE INDEX file_origin ON file (origin) WHERE origin <> '';
CREATE INDEX file_link ON file (folder_id, path) WHERE folder_id IS NULL AND version_of = '';

-- A content of the archive: name is that of its file, path where it was, written_ns
-- when it was written there, mtime_ns the mtime of the copy, by which another sidecar
-- is noticed; -1 if it no longer exists. decided is 1 once the earlier versions of
-- the path in table file agree with all its contents.
CREATE TABLE archived (
  name       TEXT    PRIMARY KEY,
  path       TEXT    NOT NULL,
  written_ns INTEGER NOT NULL,
  mtime_ns   INTEGER NOT NULL,
  decided    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX archived_path ON archived (path);
CREATE INDEX archived_undecided ON archived (path) WHERE decided = 0;

-- One handoff: a file, or one entry of a rolling log.
-- id is in time order: the seconds since 2000-01-01 UTC of the sort instant, or
-- the next number above that is free, so that "newest first" is "rowid
-- descending" in every table.
-- hid is the public id. member is the one who shared it from another machine, as name@machine, empty
-- for the handoffs of this machine. date is the instant or the start of the day, date_end
-- the end of the time it covers (date + 1 ms, or the next day). Empty text and NULL
-- numbers mean "the handoff does not say". earlier marks what an earlier version
-- of a file says: it is never the latest. standing is 1 unless a newer handoff
-- closes this one: if the handoff states that it is not done, a newer one of
-- the same thread (package latest). An earlier version is never standing.
-- sort is the sort instant itself; id only has its second.
-- sections is a JSON array of
-- [kind, level, line, end_line, heading_bytes, body_bytes, body_line] in file
-- order: an entry's heading is the next heading_bytes of the heading column of
-- body, its text the next body_bytes of the kind's column, each followed by one
-- newline that is not counted. level is 0 to 6 for a section; -1 for more text
-- of the section before, of another kind (heading_bytes 0, and no newline in the
-- heading column); -2 for the value of a single-valued field, which is no
-- section (likewise). line and end_line are what the section covers, body_line
-- where its text begins, counted from 1; 0 is unknown. A body_line that is
-- line + 1 is omitted. A negative one means that the text is not a run of lines of
-- the file, and where it begins.
-- digest is the digest of the handoff's text in the file, the same in any index: an
-- acknowledgement is for one text.
-- The sums detect a row that was damaged on disk, which SQLite does not
-- notice: card_sum is over this row and the values that a listing shows with it, text_sum
-- over the row of body, facts_sum over the rows of attr and problem. An UPDATE
-- of any of them must also set its sum.
CREATE TABLE handoff (
  id             INTEGER PRIMARY KEY,
  hid            TEXT    NOT NULL UNIQUE,
  file_id        INTEGER NOT NULL REFERENCES file(id),
  entry          INTEGER NOT NULL,
  project_id     INTEGER NOT NULL REFERENCES project(id),
  declared       TEXT    NOT NULL,
  member         TEXT    NOT NULL,
  format         TEXT    NOT NULL,
  session        TEXT    NOT NULL,
  sender         TEXT    NOT NULL,
  recipient      TEXT    NOT NULL,
  status         TEXT    NOT NULL,
  branch         TEXT    NOT NULL,
  source         TEXT    NOT NULL,
  version        TEXT    NOT NULL,
  priority       INTEGER,
  progress       REAL,
  phase          REAL,
  words          INTEGER NOT NULL,
  date           INTEGER NOT NULL,
  date_end       INTEGER NOT NULL,
  sort           INTEGER NOT NULL,
  date_source    TEXT    NOT NULL,
  date_precision TEXT    NOT NULL,
  updated        INTEGER NOT NULL,
  sent           INTEGER,
  latest         INTEGER NOT NULL,
  standing       INTEGER NOT NULL,
  earlier        INTEGER NOT NULL,
  escalated      INTEGER NOT NULL,
  blocked        INTEGER NOT NULL,
  waiting        INTEGER NOT NULL,
  legacy         INTEGER NOT NULL,
  processed      INTEGER,
  severity       INTEGER NOT NULL,
  digest         INTEGER NOT NULL,
  sections       TEXT    NOT NULL,
  card_sum       INTEGER NOT NULL,
  text_sum       INTEGER NOT NULL,
  facts_sum      INTEGER NOT NULL
) STRICT;

CREATE INDEX handoff_file ON handoff (file_id);
-- The lengths of texts, without the pages of the rows: ranking looks at thousands.
CREATE INDEX handoff_words ON handoff (id, words);
CREATE INDEX handoff_project ON handoff (project_id);
CREATE INDEX handoff_marked ON handoff (project_id, latest, escalated) WHERE escalated = 1 OR latest = 1;
CREATE INDEX handoff_earlier ON handoff (project_id) WHERE earlier = 1;
CREATE INDEX handoff_digest ON handoff (digest);
CREATE INDEX handoff_escalated ON handoff (id) WHERE escalated = 1;

-- Folders that contain or contained handoffs of a project, so that a project is found
-- without a search. Derived from file and handoff, whose rows are far apart.
CREATE TABLE place (
  folder_id  INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  PRIMARY KEY (folder_id, project_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX place_project ON place (project_id);

-- Facts of which a handoff can have many. name is file, item, commit, approach,
-- link, escalation or meta.<key>; note is the action of a file, the outcome of
-- an approach, the relation of a link, the label of a key. value is empty for
-- an approach that is the list item on its line.
CREATE TABLE attr (
  handoff_id INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  ord        INTEGER NOT NULL,
  value      TEXT    NOT NULL,
  note       TEXT    NOT NULL,
  line       INTEGER NOT NULL,
  PRIMARY KEY (handoff_id, name, ord)
) STRICT, WITHOUT ROWID;

-- severity is 1 (warning) or 2 (error: the handoff is invalid).
CREATE TABLE problem (
  handoff_id INTEGER NOT NULL,
  ord        INTEGER NOT NULL,
  severity   INTEGER NOT NULL,
  rule       TEXT    NOT NULL,
  line       INTEGER NOT NULL,
  message    TEXT    NOT NULL,
  PRIMARY KEY (handoff_id, ord)
) STRICT, WITHOUT ROWID;

CREATE INDEX problem_rule ON problem (rule);

-- The text of a handoff, each byte of it in one column; the content table of
-- fts, whose columns are these. name is not text of the handoff but the names that a person
-- uses for it, one per line: its project, the words of both in camel case, and its file.
-- meta has tokens made from fields (project,
-- declared project, format, status), so that a filter on them can be part of a
-- MATCH, and tokens of the symbols in the texts, which are not words of fts.
CREATE TABLE body (
  id         INTEGER PRIMARY KEY,
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
) STRICT;

-- Every word of the index once, for searches for parts of words. The
-- plain ones, which stem contains too, are for stemmed search and suggestions.
CREATE TABLE term (
  id   INTEGER PRIMARY KEY,
  term TEXT NOT NULL UNIQUE
) STRICT;

CREATE INDEX term_plain ON term (length(term), term) WHERE length(term) BETWEEN 3 AND 40 AND term NOT GLOB '*[^a-z]*';

-- fts5 keeps the first 32768 bytes of a longer word.
CREATE INDEX term_cut ON term (id) WHERE octet_length(term) >= 32768;

-- Handoffs a person has acknowledged, mirrored from the acknowledgement file so
-- that queries can join it.
CREATE TABLE ack (
  digest INTEGER NOT NULL,
  hid    TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (digest, hid)
) STRICT, WITHOUT ROWID;

-- The handoffs that one applies to: the handoff with its id while it has its digest, or one with
-- another id that is the only one with the digest and is not dated after it. Ids are made of paths,
-- and the index that knew the path before a move may have been deleted.
CREATE VIEW acked AS
SELECT h.id, h.digest FROM ack CROSS JOIN handoff h ON h.digest = ack.digest
WHERE h.hid = ack.hid OR h.earlier = 0 AND h.date <= ack.at
  AND NOT EXISTS (SELECT 1 FROM handoff o WHERE o.digest = h.digest AND o.earlier = 0 AND o.id <> h.id);
