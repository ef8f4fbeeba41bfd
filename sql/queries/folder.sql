-- The folders below the roots, as the index last saw them.

-- KnownFolders packs the next n folders from an id on in a row: the numbers end
-- in a space, the texts in char(0).
-- name: KnownFolders :one
SELECT CAST(coalesce(group_concat(concat_ws(' ', id, root_id, dev, ino, mtime_ns, ctime_ns, rules, count, row_sum, concat_ws(char(0), states, path, deps, entries, '')), ''), '') AS TEXT) AS pack
FROM (SELECT * FROM folder WHERE id >= sqlc.arg(low) ORDER BY id LIMIT sqlc.arg(n));

-- FoldersBelow packs a folder and those of a range of paths.
-- name: FoldersBelow :one
SELECT CAST(coalesce(group_concat(concat_ws(' ', id, root_id, dev, ino, mtime_ns, ctime_ns, rules, count, row_sum, concat_ws(char(0), states, path, deps, entries, '')), ''), '') AS TEXT) AS pack
FROM folder WHERE path = sqlc.arg(path) OR path >= sqlc.arg(low) AND path < sqlc.arg(high);

-- FoldersOfProjects lists those that contain handoffs of the projects with one of
-- the roots.
-- name: FoldersOfProjects :many
SELECT DISTINCT folder.path
FROM project
JOIN place ON place.project_id = project.id
JOIN folder ON folder.id = place.folder_id
WHERE project.root IN (SELECT value FROM json_each(CAST(sqlc.arg(roots) AS TEXT)));

-- name: LastFolderID :one
SELECT CAST(coalesce(max(id), 0) AS INTEGER) AS id FROM folder;

-- PutFolders takes a JSON array of rows and replaces existing ones, but
-- keeps their deps.
-- name: PutFolders :exec
INSERT INTO folder (id, root_id, path, dev, ino, mtime_ns, ctime_ns, rules, count, states, entries, row_sum, deps)
SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8, value->>9, value->>10, value->>11, ''
FROM jsonb_each(CAST(sqlc.arg(list) AS TEXT)) WHERE true
ON CONFLICT (id) DO UPDATE SET root_id = excluded.root_id, dev = excluded.dev, ino = excluded.ino,
  mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns, rules = excluded.rules, count = excluded.count,
  states = excluded.states, entries = excluded.entries, row_sum = excluded.row_sum;

-- CollectDeps sets deps to those of the files.
-- name: CollectDeps :exec
UPDATE folder SET deps = coalesce((
  SELECT group_concat(one.deps, char(30))
  FROM (SELECT DISTINCT file.deps FROM file WHERE file.folder_id = folder.id AND file.root_id = folder.root_id AND file.deps <> '') AS one
), '')
WHERE folder.id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: ForgetPlaces :exec
DELETE FROM place WHERE folder_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- CollectPlaces records which projects' handoffs are in some folders.
-- name: CollectPlaces :exec
INSERT INTO place (folder_id, project_id)
SELECT DISTINCT file.folder_id, handoff.project_id
FROM file JOIN handoff ON handoff.file_id = file.id
WHERE file.folder_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: DeleteFolders :exec
DELETE FROM folder WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));
