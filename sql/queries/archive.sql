-- Contents of the archive.

-- ArchivedTimes returns the names of all contents and the mtimes of their copies.
-- name: ArchivedTimes :many
SELECT name, mtime_ns FROM archived WHERE mtime_ns >= 0;

-- PutArchived takes a JSON array of rows and replaces existing ones.
-- name: PutArchived :exec
INSERT INTO archived (name, path, written_ns, mtime_ns, decided)
SELECT value->>0, value->>1, value->>2, value->>3, 0
FROM jsonb_each(CAST(sqlc.arg(list) AS TEXT)) WHERE true
ON CONFLICT (name) DO UPDATE SET path = excluded.path, written_ns = excluded.written_ns, mtime_ns = excluded.mtime_ns, decided = 0;

-- name: LoseArchived :exec
UPDATE archived SET mtime_ns = -1, decided = 0 WHERE name IN (SELECT value FROM json_each(CAST(sqlc.arg(names) AS TEXT)));

-- ReopenArchived marks some paths so that their versions are decided again, ReopenAllArchived
-- all paths.
-- name: ReopenArchived :exec
UPDATE archived SET decided = 0 WHERE path IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT)));

-- name: ReopenAllArchived :exec
UPDATE archived SET decided = 0 WHERE decided = 1;

-- name: UndecidedPaths :many
SELECT DISTINCT path FROM archived WHERE decided = 0 ORDER BY path;

-- name: ContentsOfPaths :many
SELECT name, path, written_ns, mtime_ns FROM archived
WHERE path IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT)))
ORDER BY path, written_ns, name;

-- UnarchivedFiles returns the files without a content in the archive.
-- name: UnarchivedFiles :many
SELECT path, sha256 FROM file
WHERE version_of = '' AND sha256 <> '' AND NOT EXISTS (SELECT 1 FROM archived WHERE archived.path = file.path);

-- name: SettleArchived :exec
UPDATE archived SET decided = 1 WHERE path IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT)));

-- name: ForgetArchived :exec
DELETE FROM archived WHERE decided = 1 AND mtime_ns < 0 AND path IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT)));
