-- Counts of the contents of some roots.

-- name: CountByRoot :many
SELECT r.id, r.path, r.refreshed_at, r.trouble,
       CAST((SELECT count(*) FROM file f WHERE f.root_id = r.id AND f.version_of = '') AS INTEGER) AS files,
       CAST((SELECT count(*) FROM handoff h JOIN file f ON f.id = h.file_id WHERE f.root_id = r.id AND f.version_of <> '') AS INTEGER) AS versions,
       CAST((SELECT count(*) FROM handoff h JOIN file f ON f.id = h.file_id WHERE f.root_id = r.id) AS INTEGER) AS handoffs
FROM root r ORDER BY r.path;

-- name: CountByFormat :many
SELECT h.format, CAST(count(*) AS INTEGER) AS n FROM handoff h JOIN file f ON f.id = h.file_id
WHERE f.root_id IN (SELECT value FROM json_each(CAST(sqlc.arg(roots) AS TEXT)))
GROUP BY h.format ORDER BY n DESC, h.format;

-- name: CountByProject :many
SELECT p.name, p.root, CAST(count(*) AS INTEGER) AS n, CAST(max(h.sort) AS INTEGER) AS newest
FROM handoff h JOIN project p ON p.id = h.project_id JOIN file f ON f.id = h.file_id
WHERE f.root_id IN (SELECT value FROM json_each(CAST(sqlc.arg(roots) AS TEXT)))
GROUP BY p.id ORDER BY newest DESC;

-- name: CountByProblem :many
SELECT x.rule, x.severity, CAST(count(DISTINCT x.handoff_id) AS INTEGER) AS handoffs, CAST(count(*) AS INTEGER) AS n
FROM problem x JOIN handoff h ON h.id = x.handoff_id JOIN file f ON f.id = h.file_id
WHERE f.root_id IN (SELECT value FROM json_each(CAST(sqlc.arg(roots) AS TEXT)))
GROUP BY x.rule, x.severity ORDER BY x.severity DESC, n DESC, x.rule;

-- name: SkippedFiles :many
SELECT path, skip FROM file
WHERE skip <> '' AND root_id IN (SELECT value FROM json_each(CAST(sqlc.arg(roots) AS TEXT)))
ORDER BY path;

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
