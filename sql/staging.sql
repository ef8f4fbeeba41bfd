-- What a refresh needs besides the tables of the index. Temporary: one per
-- connection.

-- Texts stay here until their batch is complete: fts5 writes a segment at the
-- end of each statement that fires the trigger of body.
CREATE TABLE temp.incoming AS SELECT * FROM body WHERE false;

-- The words of new handoffs, split by the tokenizer of fts, so that term gets
-- the same words as by a build.

CREATE VIRTUAL TABLE temp.fresh USING fts5(
  text,
  content = '', detail = 'none', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2 separators '{isolates}'"
);

CREATE VIRTUAL TABLE temp.fresh_vocab USING fts5vocab('temp', 'fresh', 'row');
