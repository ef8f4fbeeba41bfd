-- Copies the files listed in temp.kept, and what belongs to them, from the
-- generation attached as old into an empty one. Acknowledgements, roots and the rows
-- of the archive are copied completely. The full-text tables are filled afterwards.

INSERT INTO main.ack SELECT * FROM old.ack;

INSERT INTO main.root SELECT * FROM old.root;

INSERT INTO main.archived SELECT name, path, written_ns, mtime_ns, 0 FROM old.archived;

INSERT INTO main.file SELECT * FROM old.file WHERE id IN (SELECT id FROM temp.kept);

UPDATE main.file SET folder_id = NULL;

INSERT INTO main.project
SELECT * FROM old.project
WHERE id IN (SELECT project_id FROM old.handoff WHERE file_id IN (SELECT id FROM temp.kept));

INSERT INTO main.handoff SELECT * FROM old.handoff WHERE file_id IN (SELECT id FROM temp.kept);

INSERT INTO main.attr SELECT * FROM old.attr WHERE handoff_id IN (SELECT id FROM main.handoff);

INSERT INTO main.problem SELECT * FROM old.problem WHERE handoff_id IN (SELECT id FROM main.handoff);

INSERT INTO main.body SELECT * FROM old.body WHERE id IN (SELECT id FROM main.handoff);
