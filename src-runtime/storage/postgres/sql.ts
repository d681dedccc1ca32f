/**
 * The tables in PostgreSQL, their migrations, and the statements. Only what CockroachDB and YugabyteDB have too: no advisory locks, no
 * triggers, no sequences, and no order that follows from the time of a commit.
 */

export const FORMAT_VERSION = 1;

/**
 * A row of `entail_scopes` orders the writes to its scope: each begins by raising `version` where it is what the writer expects. `fence`
 * is raised by a server that has lost a connection, so that a statement that is still on its way there cannot commit later. `key` stays
 * the same when the scope is archived.
 *
 * `entail_entries` is the log of a scope. The rows of one write have one `version` and one `write_id`. `kind` is that of an `Entry`; long
 * transactions have several rows, numbered by `part`. `body` is the JSON of the events, or of the fork, closing or labelling. `fork` is
 * null except for transactions, whose index it is in.
 */
const TABLES = `
  CREATE TABLE entail_scopes (
    key UUID PRIMARY KEY, scope_id TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, schema_hash TEXT NOT NULL,
    created TIMESTAMPTZ NOT NULL DEFAULT now(), is_archived BOOLEAN NOT NULL,
    last_txn BIGINT NOT NULL DEFAULT 0, last_seq BIGINT NOT NULL DEFAULT 0,
    version BIGINT NOT NULL DEFAULT 0, epoch BIGINT NOT NULL DEFAULT 0, deployment BIGINT NOT NULL,
    fence BIGINT NOT NULL DEFAULT 0, rewritten_txn BIGINT NOT NULL DEFAULT 0
  );
  CREATE TABLE entail_entries (
    scope UUID NOT NULL, version BIGINT NOT NULL, ordinal INT NOT NULL, kind TEXT NOT NULL, fork TEXT, txn BIGINT NOT NULL,
    part INT NOT NULL, is_last BOOLEAN NOT NULL, last_seq BIGINT NOT NULL, written_at TEXT NOT NULL, cause TEXT NOT NULL, principal TEXT,
    body TEXT NOT NULL, write_id UUID NOT NULL, PRIMARY KEY (scope, version, ordinal)
  );
  CREATE INDEX entail_entries_by_fork ON entail_entries (scope, fork, txn, part);
  CREATE TABLE entail_forks (
    scope UUID NOT NULL, txn BIGINT NOT NULL, fork TEXT NOT NULL, parent TEXT NOT NULL, base_seq BIGINT NOT NULL, status TEXT NOT NULL,
    created_at TEXT NOT NULL, closed_at TEXT, label TEXT, PRIMARY KEY (scope, txn)
  );
  CREATE TABLE entail_states (scope UUID PRIMARY KEY, txn BIGINT NOT NULL, save_id UUID NOT NULL);
  CREATE TABLE entail_state_parts (
    scope UUID NOT NULL, save_id UUID NOT NULL, part INT NOT NULL, header TEXT NOT NULL, numbers BYTEA NOT NULL,
    PRIMARY KEY (scope, save_id, part)
  );
  CREATE TABLE entail_outcomes (
    scope UUID NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, response TEXT NOT NULL, kept_at TEXT NOT NULL, PRIMARY KEY (scope, key)
  );
  CREATE INDEX entail_outcomes_by_time ON entail_outcomes (scope, kept_at);
  CREATE TABLE entail_deployments (id BIGINT PRIMARY KEY, module_hash TEXT NOT NULL, artifact BYTEA NOT NULL);
  INSERT INTO entail_meta (key, value) VALUES ('deployment', '0'), ('adoption', '0');
`;

/** Migrations to the next format, by format. An empty database has format 0. */
export const MIGRATIONS: Readonly<Record<number, string>> = { 0: TABLES };

/** Values of `entail_meta` are texts. `deployment` is the id of the last one; its row is locked while scopes are created or deployed. */
export const META_TABLE = 'CREATE TABLE IF NOT EXISTS entail_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)';

const SCOPE_KEY = '(SELECT key FROM entail_scopes WHERE scope_id = $1)';
const HEAD = 'key, last_txn, last_seq, version, epoch, deployment, fence, rewritten_txn';
const PART = 'txn, part, is_last, written_at, cause, principal, body';

/** Rows that an insert gets as one array a column. `rank` is the place of the write in its group, from 1. */
const NEW_ENTRIES = `unnest($2::bigint[], $3::int[], $4::text[], $5::text[], $6::bigint[], $7::int[], $8::boolean[], $9::bigint[],
    $10::text[], $11::text[], $12::text[], $13::text[])
  AS e (rank, ordinal, kind, fork, txn, part, is_last, last_seq, written_at, cause, principal, body)`;
const ENTRY_COLUMNS = `scope, version, ordinal, kind, fork, txn, part, is_last, last_seq, written_at, cause, principal, body, write_id`;
const ENTRY_VALUES = `e.ordinal, e.kind, e.fork, e.txn, e.part, e.is_last, e.last_seq, e.written_at, e.cause, e.principal, e.body, $1::uuid`;

export const STATEMENTS = {
  // At the start.
  about: `SELECT version() AS version, current_setting('server_version_num') AS number, current_schema() AS schema,
    current_setting('server_encoding') AS encoding`,
  // The information schema would leave out tables that the user may not read.
  tables: 'SELECT tablename AS name FROM pg_catalog.pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
  lockFormat: `SELECT value FROM entail_meta WHERE key = 'format' FOR UPDATE`,
  meta: 'SELECT value FROM entail_meta WHERE key = $1',
  addMeta: 'INSERT INTO entail_meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING',
  setMeta: 'UPDATE entail_meta SET value = $2 WHERE key = $1',
  removeMeta: 'DELETE FROM entail_meta WHERE key = $1',
  clearEntries: 'DELETE FROM entail_entries',
  clearForks: 'DELETE FROM entail_forks',
  clearScopes: 'DELETE FROM entail_scopes',
  probe: `SELECT value FROM entail_meta WHERE key = 'format'`,

  // Scopes.
  scopes: 'SELECT scope_id, tenant, schema_hash FROM entail_scopes ORDER BY created, scope_id',
  scope: 'SELECT scope_id, tenant, schema_hash FROM entail_scopes WHERE scope_id = $1',
  overview: `SELECT key, scope_id, tenant, schema_hash, last_txn, last_seq FROM entail_scopes ORDER BY created, scope_id`,
  allForks:
    'SELECT scope, fork, txn, parent, base_seq, status, created_at, closed_at, label FROM entail_forks ORDER BY txn',
  rewrites: 'SELECT coalesce(sum(epoch), 0)::bigint AS epochs FROM entail_scopes',
  head: `SELECT ${HEAD} FROM entail_scopes WHERE scope_id = $1`,
  lockHead: `SELECT ${HEAD} FROM entail_scopes WHERE scope_id = $1 FOR UPDATE`,
  shareHead: `SELECT ${HEAD} FROM entail_scopes WHERE key = $1 FOR SHARE`,
  positions: 'SELECT scope_id, version, epoch, deployment FROM entail_scopes WHERE scope_id = ANY($1::text[])',
  createScope: `WITH current AS (SELECT value::bigint AS id FROM entail_meta WHERE key = 'deployment' FOR SHARE)
    INSERT INTO entail_scopes (key, scope_id, tenant, schema_hash, is_archived, deployment)
    SELECT $1::uuid, $2::text, $3::text, $4::text, $5::boolean, current.id FROM current
    WHERE $6::bigint IS NULL OR current.id = $6::bigint
    ON CONFLICT (scope_id) DO NOTHING RETURNING fence`,
  scopeOfKey: 'SELECT scope_id FROM entail_scopes WHERE key = $1',
  recordSchema: 'UPDATE entail_scopes SET schema_hash = $2 WHERE scope_id = ANY($1::text[])',
  lockScopes: 'SELECT scope_id, key FROM entail_scopes WHERE scope_id = ANY($1::text[]) ORDER BY scope_id FOR UPDATE',
  setAside: 'UPDATE entail_scopes SET scope_id = $2, is_archived = true, epoch = epoch + 1 WHERE scope_id = $1',
  succeed: `INSERT INTO entail_scopes (key, scope_id, tenant, schema_hash, is_archived, last_txn, last_seq, version, epoch, deployment, rewritten_txn)
    SELECT $1::uuid, $2, tenant, $3, false, last_txn, last_seq, version, epoch, deployment, last_txn FROM entail_scopes WHERE scope_id = $4`,

  // Writes.
  append: `WITH moved AS (
      UPDATE entail_scopes SET version = version + $14::bigint, last_txn = $15, last_seq = greatest(last_seq, $16::bigint)
      WHERE key = $17 AND scope_id = $18 AND fence = $19 AND last_txn = $20 AND last_seq < $21
        AND ($22::bigint IS NULL OR version = $22 AND epoch = $23::bigint AND deployment = $24::bigint)
      RETURNING key, version - $14::bigint AS before
    )
    INSERT INTO entail_entries (${ENTRY_COLUMNS}) SELECT moved.key, moved.before + e.rank, ${ENTRY_VALUES} FROM moved, ${NEW_ENTRIES}`,
  addEntries: `INSERT INTO entail_entries (${ENTRY_COLUMNS})
    SELECT $14::uuid, $15::bigint + e.rank, ${ENTRY_VALUES} FROM ${NEW_ENTRIES}`,
  moveHead: `UPDATE entail_scopes SET version = $2, last_txn = $3, last_seq = $4 WHERE key = $1`,
  noteRewrite: `UPDATE entail_scopes SET epoch = epoch + 1, rewritten_txn = last_txn WHERE key = $1`,
  createFork: `INSERT INTO entail_forks (scope, txn, fork, parent, base_seq, status, created_at, closed_at, label)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  closeFork: 'UPDATE entail_forks SET status = $3, closed_at = $4 WHERE scope = $1 AND txn = $2',
  labelFork: 'UPDATE entail_forks SET label = $3 WHERE scope = $1 AND txn = $2',
  raiseFence: 'UPDATE entail_scopes SET fence = fence + 1 WHERE key = $1',
  hasWrite: 'SELECT 1 AS found FROM entail_entries WHERE scope = $1 AND version > $2 AND write_id = $3 LIMIT 1',

  // Rewriting.
  bodies: `SELECT version, ordinal, body FROM entail_entries
    WHERE scope = $1 AND (version, ordinal) > ($2::bigint, $3::int) AND kind = 'transaction' ORDER BY version, ordinal LIMIT $4`,
  mentions: `SELECT version, ordinal, body FROM entail_entries
    WHERE scope = $1 AND (version, ordinal) > ($2::bigint, $3::int) AND kind = 'transaction'
      AND EXISTS (SELECT 1 FROM unnest($5::text[]) AS word WHERE strpos(body, word) > 0)
    ORDER BY version, ordinal LIMIT $4`,
  replaceBodies: `UPDATE entail_entries AS old SET body = e.body
    FROM unnest($2::bigint[], $3::int[], $4::text[]) AS e (version, ordinal, body)
    WHERE old.scope = $1 AND old.version = e.version AND old.ordinal = e.ordinal`,

  // Reading.
  forks: `SELECT fork, txn, parent, base_seq, status, created_at, closed_at, label FROM entail_forks
    WHERE scope = ${SCOPE_KEY} ORDER BY txn`,
  read: `SELECT ${PART}, last_seq FROM entail_entries
    WHERE scope = ${SCOPE_KEY} AND fork = $2 AND (txn, part) > ($3::bigint, $4::int) AND (part = 0 OR is_last OR last_seq > $5::bigint)
    ORDER BY txn, part LIMIT $6`,
  readBack: `SELECT ${PART}, last_seq FROM entail_entries
    WHERE scope = ${SCOPE_KEY} AND fork = $2 AND txn < $3 AND part = 0 ORDER BY txn DESC LIMIT $4`,
  entriesAfter: `SELECT version, ordinal, kind, fork, ${PART} FROM entail_entries
    WHERE scope = ${SCOPE_KEY} AND (version, ordinal) > ($2::bigint, $3::int) ORDER BY version, ordinal LIMIT $4`,

  // Outcomes.
  outcome: `SELECT key, request, response, kept_at AS at FROM entail_outcomes WHERE scope = ${SCOPE_KEY} AND key = $2`,
  keepOutcome: `INSERT INTO entail_outcomes (scope, key, request, response, kept_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (scope, key) DO UPDATE SET request = excluded.request, response = excluded.response, kept_at = excluded.kept_at`,
  trimOutcomes: 'DELETE FROM entail_outcomes WHERE scope = $1 AND kept_at < $2',
  wholeOutcomes: `SELECT key, request, response, kept_at AS at FROM entail_outcomes WHERE scope = $1 AND request <> '' LIMIT $2`,
  eraseOutcomes: `UPDATE entail_outcomes SET request = '', response = erased.response
    FROM (SELECT unnest($2::text[]) AS key, unnest($3::text[]) AS response) erased
    WHERE entail_outcomes.scope = $1 AND entail_outcomes.key = erased.key`,

  // Saved states.
  addStatePart: 'INSERT INTO entail_state_parts (scope, save_id, part, header, numbers) VALUES ($1, $2, $3, $4, $5)',
  setState: `INSERT INTO entail_states AS old (scope, txn, save_id) VALUES ($1, $2, $3)
    ON CONFLICT (scope) DO UPDATE SET txn = excluded.txn, save_id = excluded.save_id WHERE old.txn < excluded.txn`,
  dropOtherStates: 'DELETE FROM entail_state_parts WHERE scope = $1 AND save_id <> $2',
  dropState: 'DELETE FROM entail_states WHERE scope = $1',
  dropStateParts: 'DELETE FROM entail_state_parts WHERE scope = $1',
  stateParts: `SELECT parts.part, parts.header, parts.numbers FROM entail_states AS state
    JOIN entail_state_parts AS parts ON parts.scope = state.scope AND parts.save_id = state.save_id
    WHERE state.scope = ${SCOPE_KEY} AND parts.part > $2 ORDER BY parts.part LIMIT $3`,

  // Deployments.
  lockDeployment: `SELECT value FROM entail_meta WHERE key = 'deployment' FOR UPDATE`,
  lockLiveScopes: `SELECT scope_id, version, epoch, deployment FROM entail_scopes WHERE NOT is_archived ORDER BY scope_id FOR UPDATE`,
  setDeployment: 'UPDATE entail_scopes SET deployment = $1 WHERE NOT is_archived',
  addDeployment: 'INSERT INTO entail_deployments (id, module_hash, artifact) VALUES ($1, $2, $3)',
  deployment: 'SELECT id, module_hash, artifact FROM entail_deployments WHERE id = $1',
} as const;

export type StatementName = keyof typeof STATEMENTS;

/** A server that holds no locks may compute between its statements. If it vanishes, the database gives up later than for others. */
const PATIENT = `SET LOCAL idle_in_transaction_session_timeout = '600s'`;

/** A server that checks a module holds locks meanwhile. If it vanishes, other servers wait for so long. */
const LOCKING = `SET LOCAL idle_in_transaction_session_timeout = '30s'`;

/** How a transaction begins. A save locks the scope at its end only. */
export const BEGIN = {
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
  save: `BEGIN ISOLATION LEVEL READ COMMITTED; ${PATIENT}`,
  lock: `BEGIN ISOLATION LEVEL READ COMMITTED; ${LOCKING}`,
  snapshot: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${PATIENT}`,
} as const;
