-- The files on disk, as the index last saw them.

-- KnownFiles packs the next n files from an id on into one row, because a row costs
-- more than its content: records end in char(0), the numbers in a
-- space, deps and version_of in char(31).
-- name: KnownFiles :one
SELECT CAST(coalesce(group_concat(concat_ws(' ', id, root_id, coalesce(folder_id, 0), dev, ino, size, mtime_ns, ctime_ns, seen_ns, skip <> '', concat_ws(char(31), deps, version_of, path)), char(0)), '') AS TEXT) AS pack
FROM (SELECT * FROM file WHERE id >= sqlc.arg(low) ORDER BY id LIMIT sqlc.arg(n));

-- FilesOfFolder packs the files of a folder in the same way.
-- name: FilesOfFolder :one
SELECT CAST(coalesce(group_concat(concat_ws(' ', id, root_id, coalesce(folder_id, 0), dev, ino, size, mtime_ns, ctime_ns, seen_ns, skip <> '', concat_ws(char(31), deps, version_of, path)), char(0)), '') AS TEXT) AS pack
FROM file WHERE folder_id = sqlc.arg(folder_id);

-- LinkedFiles packs those that are found by symbolic links.
-- name: LinkedFiles :one
SELECT CAST(coalesce(group_concat(concat_ws(' ', id, root_id, coalesce(folder_id, 0), dev, ino, size, mtime_ns, ctime_ns, seen_ns, skip <> '', concat_ws(char(31), deps, version_of, path)), char(0)), '') AS TEXT) AS pack
FROM file WHERE folder_id IS NULL;

-- LinkedFilesBelow packs those of a range of paths.
-- name: LinkedFilesBelow :one
SELECT CAST(coalesce(group_concat(concat_ws(' ', id, root_id, coalesce(folder_id, 0), dev, ino, size, mtime_ns, ctime_ns, seen_ns, skip <> '', concat_ws(char(31), deps, version_of, path)), char(0)), '') AS TEXT) AS pack
FROM file WHERE folder_id IS NULL AND version_of = '' AND path >= sqlc.arg(low) AND path < sqlc.arg(high);

-- VersionsBelow packs the earlier versions of files that were in a range of paths.
-- name: VersionsBelow :one
SELECT CAST(coalesce(group_concat(concat_ws(' ', id, root_id, coalesce(folder_id, 0), dev, ino, size, mtime_ns, ctime_ns, seen_ns, skip <> '', concat_ws(char(31), deps, version_of, path)), char(0)), '') AS TEXT) AS pack
FROM file WHERE version_of <> '' AND version_of >= sqlc.arg(low) AND version_of < sqlc.arg(high);

-- name: CountFilesOfRoot :one
SELECT CAST(count(*) AS INTEGER) AS n FROM file WHERE root_id = sqlc.arg(root_id) AND version_of = '';

-- name: FileDetails :many
SELECT id, path, origin, sha256, deps, skip FROM file WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: LastFileID :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) AS id FROM file;

-- name: LastProjectID :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) AS id FROM project;

-- MovedOrigins returns the original paths of files that were moved.
-- name: MovedOrigins :many
SELECT origin FROM file WHERE origin <> '' AND version_of = '';

-- LiveContents returns what the files at some paths contain.
-- name: LiveContents :many
SELECT root_id, path, sha256 FROM file
WHERE version_of = '' AND path IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT)));

-- FirstOfFile is the lowest id of the handoffs of a file, 0 if it has none.
-- name: FirstOfFile :one
SELECT CAST(coalesce(min(handoff.id), 0) AS INTEGER) AS id FROM handoff JOIN file ON file.id = handoff.file_id WHERE file.path = sqlc.arg(path);

-- FilesBelow returns the files of a range of paths and the project that they
-- belong to.
-- name: FilesBelow :many
SELECT DISTINCT file.path, project.root
FROM file
JOIN handoff ON handoff.file_id = file.id
JOIN project ON project.id = handoff.project_id
WHERE file.path >= sqlc.arg(low) AND file.path < sqlc.arg(high)
ORDER BY file.path;

-- ProjectsOfFiles returns the project of the handoffs of each file, for the files
-- below a folder whose name begins with a dash.
-- name: ProjectsOfFiles :many
SELECT DISTINCT handoff.file_id, project.root
FROM file
JOIN handoff ON handoff.file_id = file.id
JOIN project ON project.id = handoff.project_id
WHERE instr(replace(file.path, '\', '/'), '/-') > 0;

-- PutFiles takes a JSON array of rows and replaces existing ones.
-- name: PutFiles :exec
INSERT INTO file (id, root_id, folder_id, path, origin, dev, ino, size, mtime_ns, ctime_ns, seen_ns, sha256, deps, skip, version_of, revision)
SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8, value->>9, value->>10, value->>11, value->>12, value->>13, value->>14, value->>15
FROM jsonb_each(CAST(sqlc.arg(list) AS TEXT)) WHERE true
ON CONFLICT (id) DO UPDATE SET root_id = excluded.root_id, folder_id = excluded.folder_id, path = excluded.path, origin = excluded.origin,
  dev = excluded.dev, ino = excluded.ino, size = excluded.size, mtime_ns = excluded.mtime_ns,
  ctime_ns = excluded.ctime_ns, seen_ns = excluded.seen_ns, sha256 = excluded.sha256,
  deps = excluded.deps, skip = excluded.skip, version_of = excluded.version_of, revision = excluded.revision;

-- name: DeleteFiles :exec
DELETE FROM file WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: FilesWithNeighbours :many
SELECT path, deps FROM file WHERE deps <> '';
