-- Facts about the index itself, its roots and its projects.

-- name: Facts :many
SELECT key, value FROM state;

-- name: PutFact :exec
INSERT INTO state (key, value) VALUES (sqlc.arg(key), sqlc.arg(value))
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: Roots :many
SELECT id, path, refreshed_at, trouble FROM root ORDER BY id;

-- name: PutRoot :exec
INSERT INTO root (id, path, refreshed_at, trouble)
VALUES (sqlc.arg(id), sqlc.arg(path), sqlc.arg(refreshed_at), sqlc.arg(trouble))
ON CONFLICT (id) DO UPDATE SET refreshed_at = excluded.refreshed_at, trouble = excluded.trouble;

-- name: ProjectAt :many
SELECT id, root, name, dir_v1, dir_v2 FROM project WHERE root = sqlc.arg(root);

-- InsertProjects takes a JSON array of rows.
-- name: InsertProjects :exec
INSERT INTO project (id, root, name, dir_v1, dir_v2)
SELECT value->>0, value->>1, value->>2, value->>3, value->>4
FROM jsonb_each(CAST(sqlc.arg(list) AS TEXT)) WHERE true;
