/** Reads the result of a query on PostgreSQL for an import, a batch at a time. */

import type { Client } from 'pg';
import type Cursor from 'pg-cursor';
import type { Cell } from '../api/tables/delimited-text.js';
import { UnreadableTable } from '../api/tables/import-file.js';
import { type Attached, type Rows, type Selection, shownName, tableOf } from './import-source.js';
import { CommandFailure, WrongUsage } from './terminal.js';

export interface Driver {
  readonly Client: new (options: { connectionString: string }) => Pick<Client, 'connect' | 'query' | 'end' | 'on'>;
  readonly Cursor: new (sql: string) => Pick<Cursor<{ readonly cells: readonly Cell[] }>, 'read' | 'submit'>;
}

/** Throws CommandFailure if the database cannot be read. No message contains the password. */
export async function openPostgres(
  address: string,
  selection: Selection,
  loadDriver = postgresDriver,
): Promise<Attached> {
  const rows = selected(selection);
  const { Client, Cursor } = await loadDriver();
  let client: InstanceType<Driver['Client']> | undefined;
  const close = async () => client?.end();
  try {
    client = new Client({ connectionString: address });
    // A connection that breaks fails its query too, which reports it.
    client.on('error', () => {});
    await client.connect();
    await client.query(SESSION);
    const { fields } = await client.query(`SELECT * FROM (${rows}\n) q LIMIT 0`);
    const cursor = client.query(new Cursor(cellsOf(rows)));
    async function* batches(): AsyncGenerator<Rows, void> {
      for (;;) {
        const batch = await cursor.read(ROWS_READ).catch((cause: unknown) => {
          throw new UnreadableTable(sentence(cause, address), { cause });
        });
        if (batch.length === 0) return;
        yield batch.map(({ cells }) => cells);
      }
    }
    const names = fields.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined) throw new Error(`Two columns are named "${twice}". Rename one with AS`);
    return { table: await tableOf(names, batches()), size: undefined, share: () => undefined, close };
  } catch (cause) {
    await close().catch(() => {});
    const reason = cause instanceof CommandFailure || cause instanceof UnreadableTable ? cause.message : undefined;
    throw new CommandFailure(`Cannot read ${shownName(address)}: ${reason ?? sentence(cause, address)}`, { cause });
  }
}

/** The driver makes several objects of each row. */
const ROWS_READ = 1_000;

function selected({ table, query }: Selection): string {
  if (query !== undefined) return query.replace(/[;\s]+$/, '');
  if (table === undefined) throw new WrongUsage('Choose rows of the database with --table or --query.');
  const parts = table.split('.').map((part) => `"${part.replaceAll('"', '""')}"`);
  return `SELECT * FROM ${parts.join('.')}`;
}

/** An import only reads, and instants have the same text everywhere. */
const SESSION = "SET default_transaction_read_only = on; SET TimeZone = 'UTC'";

/** The texts of the values in JSON keep all digits of numbers; dates are ISO 8601, and arrays and records are JSON. */
function cellsOf(rows: string): string {
  return `SELECT ARRAY(SELECT value FROM json_each_text(row_to_json(q))) AS cells FROM (${rows}\n) q`;
}

/** Loaded on demand: most commands do not need them. */
async function postgresDriver(): Promise<Driver> {
  const [{ default: pg }, { default: Cursor }] = await Promise.all([import('pg'), import('pg-cursor')]);
  return { Client: pg.Client, Cursor };
}

/** A refused connection to several addresses has a code and no message. */
function sentence(cause: unknown, address: string): string {
  const { message = '', code = '' } = cause as { readonly message?: string; readonly code?: string };
  const text = withoutPassword(message || code || String(cause), address);
  return text.endsWith('.') ? text : `${text}.`;
}

function withoutPassword(text: string, address: string): string {
  const [, written = ''] = /^[^:]+:\/\/[^:]*:(.*)@/.exec(address) ?? [];
  const [, asParameter = ''] = /[?&]password=([^&]*)/.exec(address) ?? [];
  const secrets = [written, asParameter].flatMap((secret) => [secret, decoded(secret)]);
  return [address, ...secrets].reduce((shown, each) => (each === '' ? shown : shown.replaceAll(each, '***')), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
