-- The handoffs of files, written and removed in bulk. jsonb_each, unlike
-- json_each, does not make text of each row to have it parsed again.

-- OccupiedIDs lists the ids taken in a window.
-- name: OccupiedIDs :many
SELECT id FROM handoff WHERE id >= sqlc.arg(low) AND id < sqlc.arg(high);

-- name: TakenHIDs :many
SELECT hid FROM handoff WHERE hid IN (SELECT value FROM json_each(CAST(sqlc.arg(list) AS TEXT)));

-- InsertHandoffs takes a JSON array of rows.
-- name: InsertHandoffs :exec
INSERT INTO handoff (id, hid, file_id, entry, project_id, declared, member, format, session, sender, recipient, status, branch, source, version, priority, progress, phase, words, date, date_end, sort, date_source, date_precision, updated, sent, latest, standing, earlier, escalated, blocked, waiting, legacy, processed, severity, digest, sections, card_sum, text_sum, facts_sum)
SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8, value->>9, value->>10, value->>11, value->>12, value->>13, value->>14, value->>15, value->>16, value->>17, value->>18, value->>19, value->>20, value->>21, value->>22, value->>23, value->>24, value->>25, value->>26, value->>27, value->>28, value->>29, value->>30, value->>31, value->>32, value->>33, value->>34, value->>35, value->>36, value->>37, value->>38, value->>39
FROM jsonb_each(CAST(sqlc.arg(list) AS TEXT)) WHERE true;

-- InsertBody runs once per handoff, prepared: for texts, JSON costs more than it saves.
-- name: InsertBody :exec
INSERT INTO body (id, title, heading, goal, state, next, done, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, name, meta)
VALUES (sqlc.arg(id), sqlc.arg(title), sqlc.arg(heading), sqlc.arg(goal), sqlc.arg(state), sqlc.arg(next), sqlc.arg(done), sqlc.arg(gotchas), sqlc.arg(risks), sqlc.arg(blockers), sqlc.arg(questions), sqlc.arg(human), sqlc.arg(decisions), sqlc.arg(approaches), sqlc.arg(worked), sqlc.arg(failed), sqlc.arg(partial), sqlc.arg(context), sqlc.arg(advice), sqlc.arg(reflection), sqlc.arg(hypothesis), sqlc.arg(outcome), sqlc.arg(checks), sqlc.arg(files), sqlc.arg(other), sqlc.arg(head), sqlc.arg(name), sqlc.arg(meta));

-- StageBody is InsertBody for an index in use; TakeBodies ends a batch of them.
-- name: StageBody :exec
INSERT INTO incoming (id, title, heading, goal, state, next, done, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, name, meta)
VALUES (sqlc.arg(id), sqlc.arg(title), sqlc.arg(heading), sqlc.arg(goal), sqlc.arg(state), sqlc.arg(next), sqlc.arg(done), sqlc.arg(gotchas), sqlc.arg(risks), sqlc.arg(blockers), sqlc.arg(questions), sqlc.arg(human), sqlc.arg(decisions), sqlc.arg(approaches), sqlc.arg(worked), sqlc.arg(failed), sqlc.arg(partial), sqlc.arg(context), sqlc.arg(advice), sqlc.arg(reflection), sqlc.arg(hypothesis), sqlc.arg(outcome), sqlc.arg(checks), sqlc.arg(files), sqlc.arg(other), sqlc.arg(head), sqlc.arg(name), sqlc.arg(meta));

-- name: TakeBodies :exec
INSERT INTO body (id, title, heading, goal, state, next, done, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, name, meta)
SELECT id, title, heading, goal, state, next, done, gotchas, risks, blockers, questions, human, decisions, approaches, worked, failed, partial, context, advice, reflection, hypothesis, outcome, checks, files, other, head, name, meta FROM incoming ORDER BY id;

-- name: ForgetIncoming :exec
DELETE FROM incoming;

-- InsertAttrs takes a JSON array of rows.
-- name: InsertAttrs :exec
INSERT INTO attr (handoff_id, name, ord, value, note, line)
SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5
FROM jsonb_each(CAST(sqlc.arg(list) AS TEXT)) WHERE true;

-- InsertProblems takes a JSON array of rows.
-- name: InsertProblems :exec
INSERT INTO problem (handoff_id, ord, severity, rule, line, message)
SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5
FROM jsonb_each(CAST(sqlc.arg(list) AS TEXT)) WHERE true;

-- HandoffsOfFiles lists handoffs that will be removed, with the group whose
-- latest they may be.
-- name: HandoffsOfFiles :many
SELECT id, project_id, format, earlier FROM handoff WHERE file_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: DeleteBodies :exec
DELETE FROM body WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: DeleteAttrs :exec
DELETE FROM attr WHERE handoff_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: DeleteProblems :exec
DELETE FROM problem WHERE handoff_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: DeleteHandoffs :exec
DELETE FROM handoff WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- GroupRows lists the handoffs of one project and format for the rules of latest
-- and standing. Earlier versions are left out.
-- name: GroupRows :many
SELECT handoff.id, handoff.entry, handoff.member, handoff.date, handoff.date_source, handoff.sort, handoff.latest, handoff.standing, handoff.status, handoff.branch, handoff.session, file.mtime_ns, file.path, file.deps
FROM handoff JOIN file ON file.id = handoff.file_id
WHERE handoff.project_id = sqlc.arg(project_id) AND handoff.format = sqlc.arg(format) AND handoff.earlier = 0;

-- name: Groups :many
SELECT DISTINCT project_id, format FROM handoff WHERE earlier = 0;

-- SetLatest flips the bits of latest_sum in card_sum of the rows that change.
-- name: SetLatest :exec
UPDATE handoff
SET latest = sqlc.arg(latest),
    card_sum = (card_sum | CAST(sqlc.arg(latest_sum) AS INTEGER)) & ~(card_sum & CAST(sqlc.arg(latest_sum) AS INTEGER))
WHERE latest <> sqlc.arg(latest) AND id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- SetStanding does the same for standing.
-- name: SetStanding :exec
UPDATE handoff
SET standing = sqlc.arg(standing),
    card_sum = (card_sum | CAST(sqlc.arg(standing_sum) AS INTEGER)) & ~(card_sum & CAST(sqlc.arg(standing_sum) AS INTEGER))
WHERE standing <> sqlc.arg(standing) AND id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- WorkItemsOf lists the work items that handoffs name.
-- name: WorkItemsOf :many
SELECT handoff_id, value FROM attr
WHERE name = 'item' AND handoff_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: CountHandoffs :one
SELECT CAST(count(*) AS INTEGER) AS n FROM handoff;

-- CountVersions counts those of earlier versions.
-- name: CountVersions :one
SELECT CAST(count(*) AS INTEGER) AS n FROM file JOIN handoff ON handoff.file_id = file.id WHERE file.version_of <> '';

-- CountOfProjects counts without reading a row, as rows are far apart.
-- name: CountOfProjects :one
SELECT CAST(
  (SELECT count(*) FROM handoff AS h WHERE h.project_id IN (SELECT value FROM json_each(CAST(sqlc.arg(projects) AS TEXT))))
  - (SELECT count(*) FROM handoff AS h WHERE h.earlier = 1 AND h.project_id IN (SELECT value FROM json_each(CAST(sqlc.arg(projects) AS TEXT))))
AS INTEGER) AS n;

-- RecentOfProjects lists the newest handoffs of projects.
-- name: RecentOfProjects :many
SELECT id FROM handoff
WHERE project_id IN (SELECT value FROM json_each(CAST(sqlc.arg(projects) AS TEXT)))
ORDER BY id DESC LIMIT sqlc.arg(n);

-- MarkedOfProjects lists those that are escalated or the latest of their format, those of
-- this machine first.
-- name: MarkedOfProjects :many
SELECT id, latest FROM handoff
WHERE project_id IN (SELECT value FROM json_each(CAST(sqlc.arg(projects) AS TEXT))) AND (escalated = 1 OR latest = 1)
ORDER BY member <> '', id DESC LIMIT sqlc.arg(n);
