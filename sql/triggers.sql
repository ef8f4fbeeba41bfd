-- Triggers that keep the full-text tables equal to the tables they index. Created after a build
-- has filled both: filling a full-text table at once costs half of filling it row
-- by row.

CREATE TRIGGER body_insert AFTER INSERT ON body BEGIN
  INSERT INTO fts (rowid, title, heading, goal, state, next, done, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, name, meta)
  VALUES (new.id, new.title, new.heading, new.goal, new.state, new.next, new.done, new.gotchas, new.risks, new.blockers, new.questions, new.human, new.decisions, new.approaches, new.worked, new.failed, new.partial, new.context, new.advice, new.reflection, new.hypothesis, new.outcome, new.checks, new.files, new.other, new.head, new.name, new.meta);
END;

CREATE TRIGGER body_delete AFTER DELETE ON body BEGIN
  INSERT INTO fts (fts, rowid, title, heading, goal, state, next, done, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, name, meta)
  VALUES ('delete', old.id, old.title, old.heading, old.goal, old.state, old.next, old.done, old.gotchas, old.risks, old.blockers, old.questions, old.human, old.decisions, old.approaches, old.worked, old.failed, old.partial, old.context, old.advice, old.reflection, old.hypothesis, old.outcome, old.checks, old.files, old.other, old.head, old.name, old.meta);
END;

CREATE TRIGGER term_insert_stem AFTER INSERT ON term BEGIN
  INSERT INTO stem (rowid, term) SELECT id, term FROM plain_term WHERE id = new.id;
END;

CREATE TRIGGER term_insert_part AFTER INSERT ON term BEGIN
  INSERT INTO part (rowid, term) VALUES (new.id, new.term);
END;
