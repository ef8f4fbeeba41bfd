-- The rows that listings show.

-- name: Summaries :many
SELECT sqlc.embed(h),
       CAST(EXISTS (SELECT 1 FROM acked WHERE acked.id = h.id AND acked.digest = h.digest) AS INTEGER) AS acked,
       p.name AS project, p.root, f.path, f.version_of, f.revision, b.title, CAST(substr(b.goal, 1, 1000) AS TEXT) AS goal
FROM handoff h
JOIN project p ON p.id = h.project_id
JOIN file f ON f.id = h.file_id
JOIN body b ON b.id = h.id
WHERE h.id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- Bodies packs the texts of a handoff into one value, which is faster to read
-- than 28: they end in char(0), which no text contains.
-- name: Bodies :many
SELECT b.id, h.text_sum, h.sections, CAST(concat_ws(char(0), b.title, b.heading, b.head, b.name, b.meta,
       b.goal, b.state, b.next, b.done, b.gotchas, b.risks, b.blockers, b.questions, b.human, b.decisions, b.approaches, b.worked,
       b.failed, b.partial, b.context, b.advice, b.reflection, b.hypothesis, b.outcome, b.checks, b.files, b.other) AS TEXT) AS pack
FROM body b JOIN handoff h ON h.id = b.id
WHERE b.id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: AttrsOf :many
SELECT * FROM attr
WHERE handoff_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)))
ORDER BY handoff_id, name, ord;

-- name: ProblemsOf :many
SELECT * FROM problem
WHERE handoff_id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)))
ORDER BY handoff_id, ord;

-- name: FactSums :many
SELECT id, facts_sum FROM handoff WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: IDsOfHID :many
SELECT id FROM handoff WHERE hid >= sqlc.arg(low) AND hid < sqlc.arg(high) ORDER BY id DESC LIMIT 20;

-- name: IDsOfHIDs :many
SELECT id, hid FROM handoff WHERE hid IN (SELECT value FROM json_each(CAST(sqlc.arg(list) AS TEXT)));

-- name: IDsOfSession :many
SELECT id FROM handoff
WHERE substr(session, 1, length(CAST(sqlc.arg(prefix) AS TEXT))) = CAST(sqlc.arg(prefix) AS TEXT) COLLATE NOCASE
ORDER BY earlier, id DESC LIMIT 20;

-- name: IDsOfPath :many
SELECT h.id FROM handoff h JOIN file f ON f.id = h.file_id WHERE f.path = sqlc.arg(path) ORDER BY h.entry;

-- LiveIDs returns the handoffs that are not earlier versions.
-- name: LiveIDs :many
SELECT id FROM handoff
WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT))) AND earlier = 0
ORDER BY id DESC;

-- VersionsOf lists the files with a version of a file that was at one of the
-- paths, including files that are at these paths or were moved from them.
-- name: VersionsOf :many
SELECT h.id, f.id AS file_id, f.path, f.origin, f.version_of, f.revision, f.mtime_ns
FROM file f JOIN handoff h ON h.file_id = f.id
WHERE f.version_of IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT))) AND f.version_of <> ''
   OR f.version_of = '' AND (f.path IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT)))
     OR f.origin <> '' AND f.origin IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT))))
ORDER BY f.version_of = '' DESC, f.mtime_ns DESC, f.path, h.entry;

-- OriginOfHandoff returns the file of a handoff.
-- name: OriginOfHandoff :one
SELECT f.path, f.version_of, f.mtime_ns FROM handoff h JOIN file f ON f.id = h.file_id WHERE h.id = sqlc.arg(id);

-- name: ProjectsByRoot :many
SELECT id FROM project
WHERE root IN (SELECT value FROM json_each(CAST(sqlc.arg(roots) AS TEXT)))
ORDER BY id;

-- ProjectsCalled returns all projects that a name, a root or the encoded name of a
-- folder can mean, and perhaps others. tail is the name after a slash.
-- name: ProjectsCalled :many
SELECT id FROM project
WHERE name = sqlc.arg(name) COLLATE NOCASE
   OR root = sqlc.arg(name) COLLATE NOCASE
   OR substr('/' || replace(rtrim(root, '/\'), '\', '/'), -length(CAST(sqlc.arg(tail) AS TEXT))) = CAST(sqlc.arg(tail) AS TEXT) COLLATE NOCASE
   OR dir_v1 IN (sqlc.arg(name), sqlc.arg(v1))
   OR dir_v2 IN (sqlc.arg(name), sqlc.arg(v2))
ORDER BY id;

-- name: ProjectNamed :many
SELECT id FROM project
WHERE name = sqlc.arg(name) COLLATE NOCASE
  AND EXISTS (SELECT 1 FROM handoff h JOIN file f ON f.id = h.file_id
              WHERE h.project_id = project.id AND f.root_id IN (SELECT value FROM json_each(CAST(sqlc.arg(roots) AS TEXT))))
LIMIT 1;

-- name: LatestOfProjects :many
SELECT id FROM handoff
WHERE project_id IN (SELECT value FROM json_each(CAST(sqlc.arg(projects) AS TEXT))) AND latest = 1
ORDER BY id DESC;

-- NewerOfProject returns the handoff of a project after a given one, OlderOfProject
-- the one before it. Both skip earlier versions of files.
-- name: NewerOfProject :many
SELECT id FROM handoff
WHERE project_id = (SELECT project_id FROM handoff WHERE handoff.id = sqlc.arg(than)) AND id > sqlc.arg(than) AND earlier = 0
ORDER BY id LIMIT 1;

-- name: OlderOfProject :many
SELECT id FROM handoff
WHERE project_id = (SELECT project_id FROM handoff WHERE handoff.id = sqlc.arg(than)) AND id < sqlc.arg(than) AND earlier = 0
ORDER BY id DESC LIMIT 1;

-- name: HandoffIDs :many
SELECT id FROM handoff ORDER BY id;

-- StrayFacts lists rows of attr, problem and body without a handoff.
-- name: StrayFacts :many
SELECT DISTINCT x.handoff_id FROM (
  SELECT handoff_id FROM attr UNION SELECT handoff_id FROM problem UNION SELECT id FROM body
) x WHERE x.handoff_id NOT IN (SELECT id FROM handoff) LIMIT 20;

-- name: TextsOfIDs :many
SELECT hid, text_sum FROM handoff
WHERE earlier = 0 AND id IN (SELECT value FROM json_each(CAST(sqlc.arg(list) AS TEXT)));
