/** Connections to PostgreSQL: statements, transactions, and what a failure says about their outcome. */

import type { Pool, PoolClient } from 'pg';
import { type ConnectionCounts, StorageError } from '../event-store.js';
import { connectionFailure, isLost, isLostRace, statementFailure } from './failures.js';
import { BEGIN, STATEMENTS, type StatementName } from './sql.js';

/** A value of a statement. */
export type Value = string | number | boolean | null | Uint8Array | readonly (string | number | boolean | null)[];

/** Runs statements: each on any connection, or all in one transaction. */
export interface Session {
  rows<Row>(name: StatementName, values?: readonly Value[]): Promise<Row[]>;
  /** The number of rows that it has written. */
  run(name: StatementName, values?: readonly Value[]): Promise<number>;
}

/** The connection broke after a statement was sent, which may or may not be executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Another transaction was first, and this one is rolled back. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}

export interface PostgresOptions {
  /** `postgres://user:password@host/database`; parameters like those of libpq. */
  readonly url: string;
  /** Connections at most, without the one that listens. */
  readonly poolSize?: number | undefined;
  /** A write whose connection broke while it committed is rejected as unknown if the database cannot be asked for so long. */
  readonly unknownAfterMs?: number | undefined;
}

const POOL_SIZE = 10;
const UNKNOWN_AFTER_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** The server cancels a statement after this, and the client gives up its connection a little later. */
const STATEMENT_TIMEOUT_MS = 30_000;
const QUERY_TIMEOUT_MS = 35_000;

/** The locks of a client that vanished within a transaction would stay until TCP times out, hours later. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;

/** How often a transaction that loses races is tried. */
const ATTEMPTS = 5;

export class Connections implements Session {
  readonly size: number;
  readonly unknownAfterMs: number;
  readonly #pool: Pool;
  readonly #url: string;

  constructor(pool: Pool, { url, unknownAfterMs = UNKNOWN_AFTER_MS }: PostgresOptions) {
    this.#pool = pool;
    this.#url = url;
    this.unknownAfterMs = unknownAfterMs;
    this.size = pool.options.max;
  }

  get counts(): ConnectionCounts {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Only for statements that read: one whose connection breaks is tried again, as all of them do when the database restarts. */
  async rows<Row>(name: StatementName, values: readonly Value[] = []): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connected((session) => session.rows<Row>(name, values));
      } catch (error) {
        const isWorthwhile = error instanceof ConnectionLost || error instanceof LostRace;
        if (!isWorthwhile || attempt > this.size) throw this.failure(error);
      }
    }
  }

  /** Throws ConnectionLost if the outcome is unknown. */
  run(name: StatementName, values: readonly Value[] = []): Promise<number> {
    return this.#connected((session) => session.run(name, values));
  }

  /** A snapshot only reads, and sees one state. Throws ConnectionLost if the outcome is unknown. Any other error leaves nothing behind. */
  transaction<T>(kind: keyof typeof BEGIN, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#connected(async (session, client) => {
      await sent(client.query(BEGIN[kind]));
      try {
        const result = await work(session);
        await sent(client.query('COMMIT'));
        return result;
      } catch (error) {
        if (!(error instanceof ConnectionLost)) await sent(client.query('ROLLBACK'));
        throw error;
      }
    });
  }

  /** A transaction that is tried again after a lost race, a few times. */
  async retried<T>(work: (session: Session) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.transaction('write', work);
      } catch (error) {
        if (!(error instanceof LostRace) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** A StorageError for what the methods throw; other errors are returned unchanged. `isWrite` if it may have been kept. */
  failure(error: unknown, isWrite = false): unknown {
    if (error instanceof LostRace) {
      const message = 'Could not write the history: other servers write at the same time; try again';
      return new StorageError(message, 'failed', { cause: error });
    }
    if (!(error instanceof ConnectionLost)) return error;
    const { message } = connectionFailure(error.cause, this.#url);
    const kept = isWrite ? '; what it wrote last may have been kept' : '';
    return new StorageError(`${message}${kept}`, 'unreachable', { cause: error, isUnknown: isWrite });
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #connected<T>(work: (session: Session, client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw connectionFailure(error, this.#url);
    });
    let isBroken = false;
    const note = () => {
      isBroken = true;
    };
    client.on('error', note);
    try {
      return await work(sessionOn(client), client);
    } catch (error) {
      isBroken ||= error instanceof ConnectionLost;
      throw error;
    } finally {
      client.off('error', note);
      client.release(isBroken);
    }
  }
}

function sessionOn(client: PoolClient): Session {
  const query = (name: StatementName, values: readonly Value[]) =>
    // The name lets a connection prepare a statement once.
    sent(client.query({ name: `entail ${name}`, text: STATEMENTS[name], values: [...values] }));
  return {
    rows: async <Row>(name: StatementName, values: readonly Value[] = []) => (await query(name, values)).rows as Row[],
    run: async (name, values = []) => (await query(name, values)).rowCount ?? 0,
  };
}

async function sent<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (cause) {
    if (isLostRace(cause)) throw new LostRace('another transaction was first', { cause });
    if (isLost(cause)) throw new ConnectionLost('the connection broke', { cause });
    throw statementFailure(cause);
  }
}

/** Loads the driver, which only servers need. Throws a StorageError for a malformed address. */
export async function connect(options: PostgresOptions): Promise<Connections> {
  const { url, poolSize = POOL_SIZE } = options;
  const { Pool } = await driver();
  try {
    const pool = new Pool({ ...(await clientOptions(url)), max: poolSize, allowExitOnIdle: true });
    // A connection that breaks while it is idle is replaced when it is needed.
    pool.on('error', () => undefined);
    return new Connections(pool, options);
  } catch (error) {
    throw connectionFailure(error, url);
  }
}

/** A connection outside the pool, as options of its client. */
export async function clientOptions(url: string) {
  const { types } = await driver();
  const getTypeParser = (oid: number, format?: 'text') =>
    oid === BIGINT_OID ? Number : types.getTypeParser(oid, format);
  return {
    connectionString: checked(url).replace(WEAKER_SSLMODE, '$1verify-full'),
    types: { getTypeParser: getTypeParser as typeof types.getTypeParser },
    fallback_application_name: 'entail',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
  };
}

/** Ours are safe integers. */
const BIGINT_OID = 20;

export async function driver() {
  return (await import('pg')).default;
}

/** The driver treats these as verify-full, with a warning of many lines. */
const WEAKER_SSLMODE =
  /(?<!uselibpqcompat=true.*)([?&]sslmode=)(?:prefer|require|verify-ca)\b(?!.*uselibpqcompat=true)/;

/** A password with `#`, or `/` before `@`, would become a part of the host or the path. */
function checked(url: string): string {
  const isValid = /^postgres(ql)?:\/\//i.test(url) && URL.canParse(url);
  if (!isValid || new URL(url).hash !== '' || new URL(url).pathname.includes('@')) throw new TypeError('Invalid URL');
  return url;
}
