/** Brings the tables of a database to the present format, or says why it cannot be used. */

import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { systemCode } from '../errors.js';
import { StorageError } from '../event-store.js';
import { clientOptions, driver } from './connections.js';
import { connectionFailure } from './failures.js';
import { FORMAT_VERSION, META_TABLE, MIGRATIONS, STATEMENTS, type StatementName } from './sql.js';

/** Throws a StorageError of one line. Returns whether a restore into the database was broken off. */
export async function prepareDatabase(url: string): Promise<{ readonly isHalfRestored: boolean }> {
  const { Client } = await driver();
  let client: Client | undefined;
  try {
    client = new Client(await clientOptions(url));
    // What breaks the connection fails its statement too.
    client.on('error', () => undefined);
    await client.connect();
    const [about] = await rows<About>(client, 'about');
    const unfit = about && unfitServer(about);
    if (unfit !== undefined) throw new StorageError(unfit, 'failed');
    for (let attempt = 1; ; attempt += 1) {
      try {
        await migrate(client);
        return { isHalfRestored: (await rows(client, 'meta', ['restoring'])).length > 0 };
      } catch (error) {
        await client.query('ROLLBACK');
        // Another server makes the same tables at the same time.
        if (attempt === ATTEMPTS || !CONCURRENT_CODES.has(systemCode(error) ?? '')) throw error;
      }
    }
  } catch (error) {
    throw connectionFailure(error, url);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

const ATTEMPTS = 10;

/** unique_violation, duplicate_table, serialization_failure, deadlock_detected, internal_error ("tuple concurrently updated"). */
const CONCURRENT_CODES = new Set(['23505', '42P07', '40001', '40P01', 'XX000']);

/** The oldest PostgreSQL, as it numbers itself. */
const OLDEST = { number: 140_000, name: '14' };

interface About {
  readonly version: string;
  readonly number: string;
  readonly schema: string | null;
  readonly encoding: string;
}

/** Why a server cannot be used. CockroachDB and YugabyteDB name old versions of PostgreSQL, whatever they can do. */
export function unfitServer({ version, number, schema, encoding }: About): string | undefined {
  const isOther = /cockroachdb|-YB-/i.test(version);
  if (!isOther && Number(number) < OLDEST.number) {
    const [name = version] = /^PostgreSQL [\d.]+/.exec(version) ?? [];
    return `The database runs ${name}, and Entail needs PostgreSQL ${OLDEST.name} or later; upgrade it`;
  }
  if (encoding !== 'UTF8') {
    return `The database has the encoding ${encoding}, and Entail needs UTF8; create one with ENCODING 'UTF8' TEMPLATE template0`;
  }
  if (schema !== null) return undefined;
  return 'The database has no schema for tables; create the one that its search_path names, or name another with options=-csearch_path=NAME in the address';
}

async function migrate(client: Client): Promise<void> {
  const names = (await rows<{ name: string }>(client, 'tables')).map(({ name }) => name);
  if (!names.includes('entail_meta') && names.length > 0) {
    const some = names.slice(0, 3).join(', ') + (names.length > 3 ? ' and others' : '');
    const message = `The database holds tables that are not of Entail (${some}); name an empty database, or an empty schema of it with options=-csearch_path=NAME in the address`;
    throw new StorageError(message, 'failed');
  }
  await client.query('BEGIN');
  if (!names.includes('entail_meta')) await client.query(META_TABLE);
  await rows(client, 'addMeta', ['format', '0']);
  const [stored] = await rows<{ value: string }>(client, 'lockFormat');
  let format = Number(stored?.value);
  if (!(format <= FORMAT_VERSION)) {
    const message = `The database has format ${stored?.value}, and this Entail reads format ${FORMAT_VERSION}; use the Entail that wrote it or a newer one`;
    throw new StorageError(message, 'failed');
  }
  const isCurrent = format === FORMAT_VERSION;
  for (; format < FORMAT_VERSION; format += 1) await client.query(MIGRATIONS[format] ?? '');
  if (!isCurrent) {
    await rows(client, 'addMeta', ['secret', randomBytes(32).toString('hex')]);
    await rows(client, 'setMeta', ['format', String(FORMAT_VERSION)]);
  }
  await client.query('COMMIT');
}

async function rows<Row>(client: Client, name: StatementName, values: readonly string[] = []): Promise<Row[]> {
  return (await client.query(STATEMENTS[name], [...values])).rows as Row[];
}
