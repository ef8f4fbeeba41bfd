-- The words of the handoffs a refresh adds, split by the tokenizer of fts, so
-- that term gains the same words as by a build. Temporary: one per connection.

CREATE VIRTUAL TABLE temp.fresh USING fts5(
  text,
  content = '', detail = 'none', columnsize = 0,
  tokenize = 'unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE temp.fresh_vocab USING fts5vocab('temp', 'fresh', 'row');
