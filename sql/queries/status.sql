-- What the index holds, in numbers.

-- name: CountByRoot :many
SELECT r.path, r.refreshed_at, r.trouble,
       CAST((SELECT count(*) FROM file f WHERE f.root_id = r.id AND f.version_of = '') AS INTEGER) AS files,
       CAST((SELECT count(*) FROM handoff h JOIN file f ON f.id = h.file_id WHERE f.root_id = r.id) AS INTEGER) AS handoffs
FROM root r ORDER BY r.path;

-- name: CountByFormat :many
SELECT format, CAST(count(*) AS INTEGER) AS n FROM handoff GROUP BY format ORDER BY n DESC, format;

-- name: CountByProject :many
SELECT p.name, p.root, CAST(count(*) AS INTEGER) AS n, CAST(max(h.sort) AS INTEGER) AS newest
FROM handoff h JOIN project p ON p.id = h.project_id GROUP BY p.id ORDER BY newest DESC;

-- name: CountByProblem :many
SELECT rule, severity, CAST(count(DISTINCT handoff_id) AS INTEGER) AS handoffs, CAST(count(*) AS INTEGER) AS n
FROM problem GROUP BY rule, severity ORDER BY severity DESC, n DESC, rule;

-- name: SkippedFiles :many
SELECT path, skip FROM file WHERE skip <> '' ORDER BY path;

-- name: CountFiles :one
SELECT CAST(count(*) AS INTEGER) AS n FROM file WHERE version_of = '';

-- name: Troubles :many
SELECT id, path, trouble FROM root WHERE trouble <> '' ORDER BY path;

-- name: ForgetAcks :exec
DELETE FROM ack;

-- PutAcks takes a JSON array of rows.
-- name: PutAcks :exec
INSERT INTO ack (hid, digest, at)
SELECT value->>0, value->>1, value->>2
FROM jsonb_each(CAST(sqlc.arg(list) AS TEXT)) WHERE true;

-- name: Acks :many
SELECT * FROM ack ORDER BY digest, hid;
