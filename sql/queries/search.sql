-- What is shown of handoffs.

-- name: Summaries :many
SELECT h.id, h.hid, h.entry, h.format, h.session, h.sender, h.recipient, h.status, h.branch,
       h.date, h.date_end, h.date_source, h.date_precision, h.updated,
       h.latest, h.escalated, h.blocked, h.legacy, h.severity,
       CAST(EXISTS (SELECT 1 FROM ack WHERE ack.hid = h.hid) AS INTEGER) AS acked,
       p.name AS project, p.root, f.path, b.title, CAST(substr(b.goal, 1, 1000) AS TEXT) AS goal
FROM handoff h
JOIN project p ON p.id = h.project_id
JOIN file f ON f.id = h.file_id
JOIN body b ON b.id = h.id
WHERE h.id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- Bodies packs the texts that snippets are cut from in one value, which is
-- faster to hand over than 26: they end in char(0), which no text holds.
-- name: Bodies :many
SELECT b.id, CAST(concat_ws(char(0), b.title, b.heading, b.head, h.sections,
       b.goal, b.state, b.next, b.done, b.gotchas, b.risks, b.blockers, b.questions, b.decisions, b.approaches, b.worked,
       b.failed, b.partial, b.context, b.advice, b.reflection, b.hypothesis, b.outcome, b.checks, b.files, b.other) AS TEXT) AS pack
FROM body b JOIN handoff h ON h.id = b.id
WHERE b.id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: Openings :many
SELECT b.id, b.goal, b.next, b.blockers, h.sections
FROM body b JOIN handoff h ON h.id = b.id
WHERE b.id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: AttrsOf :many
SELECT handoff_id, name, value, note, line FROM attr
WHERE handoff_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)))
ORDER BY handoff_id, name, ord;

-- name: EscalationsOf :many
SELECT handoff_id, value, line FROM attr
WHERE handoff_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT))) AND name = 'escalation'
ORDER BY handoff_id, ord;

-- name: ProblemsOf :many
SELECT severity, rule, line, message FROM problem WHERE handoff_id = sqlc.arg(id) ORDER BY ord;

-- name: IDsOfHID :many
SELECT id FROM handoff WHERE hid >= sqlc.arg(low) AND hid < sqlc.arg(high) ORDER BY id DESC LIMIT 20;

-- name: IDsOfHIDs :many
SELECT id, hid FROM handoff WHERE hid IN (SELECT value FROM json_each(CAST(sqlc.arg(list) AS TEXT)));

-- name: IDsOfSession :many
SELECT id FROM handoff
WHERE substr(session, 1, length(CAST(sqlc.arg(prefix) AS TEXT))) = CAST(sqlc.arg(prefix) AS TEXT) COLLATE NOCASE
ORDER BY id DESC LIMIT 20;

-- name: IDsOfPath :many
SELECT h.id FROM handoff h JOIN file f ON f.id = h.file_id WHERE f.path = sqlc.arg(path) ORDER BY h.entry;

-- name: ProjectsByRoot :many
SELECT id FROM project
WHERE root IN (SELECT value FROM json_each(CAST(sqlc.arg(roots) AS TEXT)))
ORDER BY id;

-- name: LatestOfProject :many
SELECT id FROM handoff WHERE project_id = sqlc.arg(project_id) AND latest = 1 ORDER BY id DESC;

-- name: IDsOfProject :many
SELECT id FROM handoff WHERE project_id = sqlc.arg(project_id) ORDER BY id DESC LIMIT sqlc.arg(n);
