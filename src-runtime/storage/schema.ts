/** The tables of the database, the migrations of older formats, and the statements. */

export const FORMAT_VERSION = 7;

const FORKS_TABLE = `
  CREATE TABLE forks (
    scope INTEGER NOT NULL REFERENCES scopes, fork TEXT NOT NULL, txn INTEGER NOT NULL, parent TEXT NOT NULL,
    base_seq INTEGER NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL, closed_at TEXT,
    UNIQUE (scope, txn)
  );
`;

const FORK_LABELS = 'ALTER TABLE forks ADD COLUMN label TEXT;';

/** The later parts of long transactions. The row with the first part is written last, so readers never see half a transaction. */
const MORE_EVENTS_TABLE = `
  CREATE TABLE more_events (
    scope INTEGER NOT NULL REFERENCES scopes, txn INTEGER NOT NULL, last_seq INTEGER NOT NULL, events TEXT NOT NULL,
    UNIQUE (scope, txn, last_seq)
  );
`;

/**
 * The sealed segments in order: older parts of the history, each in a file of the same schema. `contents` says which transactions a
 * segment holds, as JSON: `[[scope, fork, first txn, last txn], ...]`.
 */
const SEGMENTS_TABLE = `
  CREATE TABLE segments (
    number INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes INTEGER NOT NULL, contents TEXT NOT NULL
  );
`;

/** The responses to requests with an Idempotency-Key, oldest first. */
const OUTCOMES_TABLE = `
  CREATE TABLE outcomes (
    number INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scopes, key TEXT NOT NULL, request TEXT NOT NULL,
    response TEXT NOT NULL, at TEXT NOT NULL,
    UNIQUE (scope, key)
  );
`;

export const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);
  CREATE TABLE scopes (
    key INTEGER PRIMARY KEY, scope_id TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, schema_hash TEXT NOT NULL,
    last_txn INTEGER NOT NULL DEFAULT 0, last_seq INTEGER NOT NULL DEFAULT 0
  );
  ${FORKS_TABLE}
  ${FORK_LABELS}
  CREATE TABLE transactions (
    scope INTEGER NOT NULL REFERENCES scopes, fork TEXT NOT NULL, txn INTEGER NOT NULL,
    at TEXT NOT NULL, cause TEXT NOT NULL, principal TEXT, events TEXT NOT NULL,
    UNIQUE (scope, fork, txn)
  );
  ${MORE_EVENTS_TABLE}
  ${SEGMENTS_TABLE}
  ${OUTCOMES_TABLE}
  INSERT INTO meta VALUES ('format', ${FORMAT_VERSION}), ('sequence', 0);
`;

/** A database function for the migration of format 4: the cause as JSON, from its sentence. */
export const CAUSE_FUNCTION = 'cause_of_sentence';

/** Migrations to the next format, by format. */
export const UPGRADES: Readonly<Record<number, string>> = {
  // Format 1 had a table of forks that nothing wrote to.
  1: `DROP TABLE forks; ${FORKS_TABLE} UPDATE meta SET value = 2 WHERE key = 'format';`,
  // Format 2 had all events in the row of the transaction.
  2: `${MORE_EVENTS_TABLE} UPDATE meta SET value = 3 WHERE key = 'format';`,
  // Format 3 had no labels.
  3: `${FORK_LABELS} UPDATE meta SET value = 4 WHERE key = 'format';`,
  // Format 4 stored causes as sentences.
  4: `UPDATE transactions SET cause = ${CAUSE_FUNCTION}(cause); UPDATE meta SET value = 5 WHERE key = 'format';`,
  // Format 5 had the whole history in one file.
  5: `${SEGMENTS_TABLE} UPDATE meta SET value = 6 WHERE key = 'format';`,
  // Format 6 kept no responses.
  6: `${OUTCOMES_TABLE} UPDATE meta SET value = 7 WHERE key = 'format';`,
};

const SCOPE_KEY = '(SELECT key FROM scopes WHERE scope_id = ?)';

/** The transactions of a fork, and whether each has more parts. */
const FIRST_PARTS = `SELECT txn, at, cause, principal, events,
    EXISTS (SELECT 1 FROM more_events AS more WHERE more.scope = transactions.scope AND more.txn = transactions.txn)
  FROM transactions WHERE scope = ? AND fork = ?`;

/** Long texts are bound as bytes, because the library copies texts one character at a time. */
export const STATEMENTS = {
  scopes: 'SELECT scope_id, tenant, schema_hash FROM scopes ORDER BY key',
  scope: 'SELECT scope_id, tenant, schema_hash FROM scopes WHERE scope_id = ?',
  scopeKey: 'SELECT key FROM scopes WHERE scope_id = ?',
  lastTxns: 'SELECT key, last_txn FROM scopes',
  head: 'SELECT last_txn, last_seq FROM scopes WHERE scope_id = ?',
  forks: `SELECT fork, txn, parent, base_seq, status, created_at, closed_at, label FROM forks WHERE scope = ${SCOPE_KEY} ORDER BY txn`,
  read: `${FIRST_PARTS} AND txn > ? ORDER BY txn`,
  readBack: `${FIRST_PARTS} AND txn < ? ORDER BY txn DESC`,
  readMore: 'SELECT events FROM more_events WHERE scope = ? AND txn = ? AND last_seq > ? ORDER BY last_seq',
  createScope: 'INSERT INTO scopes (scope_id, tenant, schema_hash) VALUES (?, ?, ?)',
  recordSchema: 'UPDATE scopes SET schema_hash = ? WHERE scope_id = ?',
  setAside: 'UPDATE scopes SET scope_id = ? WHERE scope_id = ?',
  succeed: `INSERT INTO scopes (scope_id, tenant, schema_hash, last_txn, last_seq)
    SELECT ?, tenant, ?, last_txn, last_seq FROM scopes WHERE scope_id = ?`,
  createFork: `INSERT INTO forks (scope, fork, txn, parent, base_seq, status, created_at, closed_at, label)
    VALUES (${SCOPE_KEY}, ?, ?, ?, ?, ?, ?, ?, ?)`,
  closeFork: `UPDATE forks SET status = ?, closed_at = ? WHERE scope = ${SCOPE_KEY} AND txn = ?`,
  labelFork: `UPDATE forks SET label = ? WHERE scope = ${SCOPE_KEY} AND txn = ?`,
  append: `INSERT INTO transactions (scope, fork, txn, at, cause, principal, events) VALUES (${SCOPE_KEY}, ?, ?, ?, ?, ?, CAST(? AS TEXT))`,
  appendMore: `INSERT INTO more_events (scope, txn, last_seq, events) VALUES (${SCOPE_KEY}, ?, ?, CAST(? AS TEXT))`,
  moveHead: 'UPDATE scopes SET last_txn = ?, last_seq = max(last_seq, ?) WHERE scope_id = ?',
  contents: 'SELECT scope, fork, min(txn), max(txn) FROM transactions GROUP BY scope, fork ORDER BY scope, fork',
  allTransactions: 'SELECT scope, fork, txn, at, cause, principal, events FROM transactions ORDER BY rowid',
  moreEvents: 'SELECT last_seq, events FROM more_events WHERE scope = ? AND txn = ? ORDER BY last_seq',
  allMoreEvents: 'SELECT scope, txn, last_seq, events FROM more_events ORDER BY rowid',
  copyTransaction: 'INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, CAST(? AS TEXT))',
  copyMoreEvents: 'INSERT INTO more_events VALUES (?, ?, ?, CAST(? AS TEXT))',
  segments: 'SELECT number, checksum, bytes, contents FROM segments ORDER BY rowid',
  addSegment: 'INSERT INTO segments VALUES (?, ?, ?, ?)',
  outcome: `SELECT key, request, response, at FROM outcomes WHERE scope = ${SCOPE_KEY} AND key = ?`,
  keepOutcome: `INSERT OR REPLACE INTO outcomes (scope, key, request, response, at) VALUES (${SCOPE_KEY}, ?, ?, CAST(? AS TEXT), ?)`,
  oldestOutcome: 'SELECT at FROM outcomes ORDER BY number LIMIT 1',
  /** Drops those before a time, and those with more than so many characters of newer ones. */
  trimOutcomes: `DELETE FROM outcomes WHERE at < ? OR number IN (SELECT number FROM
    (SELECT number, sum(length(response)) OVER (ORDER BY number DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
      AS newer FROM outcomes) WHERE newer > ?)`,
  wholeOutcomes: `SELECT key, request, response, at FROM outcomes WHERE scope = ${SCOPE_KEY} AND request <> ''`,
  eraseOutcome: `UPDATE outcomes SET request = ?, response = CAST(? AS TEXT) WHERE scope = ${SCOPE_KEY} AND key = ?`,
  dropAllOutcomes: 'DELETE FROM outcomes',
  meta: 'SELECT value FROM meta WHERE key = ?',
  setMeta: 'INSERT INTO meta (value, key) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  begin: 'BEGIN',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
} as const;
