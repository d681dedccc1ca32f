/** What the start says when a database cannot be used: one line with the way out, without the password. */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { rememberingLog } from '../testing/histories.js';
import { type TestDatabase, testDatabase } from '../testing/postgres.js';
import { programs, TESTER } from '../testing/postgres-cluster.js';
import { unfitServer } from './migrations.js';
import { openPostgresStore } from './postgres-store.js';

const SECRET = 'top%23secret';

/** The message with which opening is refused. */
async function refusalOf(url: string): Promise<string> {
  const store = await openPostgresStore({ url, log: rememberingLog() }).catch((error: unknown) => error);
  expect(store).toMatchObject({ name: 'StorageError' });
  const { message } = store as Error;
  expect(message).not.toMatch(/top(%23|#)secret|\n/);
  return message;
}

it.each([
  ['a malformed address', `postgres://ada:${SECRET}@db:port/x`, /^The address of the database is malformed; write /],
  [
    'a password whose # is not percent-encoded',
    'postgres://ada:12#34@db/x',
    /^The address of the database is malformed/,
  ],
  ['a password whose @ and / are not', 'postgres://ada:12@34/5@db/x', /^The address of the database is malformed/],
  ['another kind of address', `mysql://ada:${SECRET}@db/x`, /^The address of the database is malformed; write /],
  [
    'a port where nothing listens',
    `postgres://ada:${SECRET}@127.0.0.1:1/x`,
    /^No PostgreSQL answers at 127\.0\.0\.1:1 \(ECONNREFUSED\); check /,
  ],
  ['an unknown host', `postgres://ada:${SECRET}@nowhere.invalid/x`, /^There is no host nowhere\.invalid:5432 \(E/],
])('refuses %s', async (_what, url, message) => {
  expect(await refusalOf(url)).toMatch(message);
});

it('refuses PostgreSQL before 14, and takes what speaks its protocol', () => {
  const unfit = (version: string, number: string) =>
    unfitServer({ version, number, schema: 'public', encoding: 'UTF8' });
  expect(unfit('PostgreSQL 13.22 on x86_64', '130022')).toBe(
    'The database runs PostgreSQL 13.22, and Entail needs PostgreSQL 14 or later; upgrade it',
  );
  expect(unfit('PostgreSQL 14.0 on x86_64', '140000')).toBeUndefined();
  expect(unfit('CockroachDB CCL v24.3.1', '130000')).toBeUndefined();
  expect(unfit('PostgreSQL 11.2-YB-2024.2 on x86_64', '110002')).toBeUndefined();
});

it.runIf(hasOpenssl())('refuses a certificate that nobody vouches for', async () => {
  const server = await tlsServer();
  const url = `postgres://ada:${SECRET}@127.0.0.1:${server.port}/x?sslmode=verify-full`;
  expect(await refusalOf(url)).toMatch(
    /^The certificate of 127\.0\.0\.1:\d+ is not trusted: .*sslrootcert=FILE in the address$/,
  );
  server.close();
});

describe.runIf(programs)('a real PostgreSQL', () => {
  const prepared = async (sql?: string): Promise<TestDatabase> => {
    const database = await testDatabase();
    if (sql !== undefined) await database.query(sql);
    return database;
  };

  it('refuses a wrong password, a missing one, and a missing database', async () => {
    const { address } = await prepared();
    const user = TESTER.user;
    expect(await refusalOf(address({ user, password: 'wrong' }))).toMatch(
      /refused user tester: password authentication failed .*; correct user and password in its address$/,
    );
    expect(await refusalOf(address({ user }))).toMatch(/wants a password of user tester; add it to the address/);
    const elsewhere = address({}).replace(/[^/]*$/, 'nowhere');
    expect(await refusalOf(elsewhere)).toMatch(/^There is no database nowhere at .*; create it with CREATE DATABASE/);
  });

  it('refuses a database without TLS if the address asks for it', async () => {
    const { url } = await prepared();
    expect(await refusalOf(`${url}?sslmode=verify-full`)).toMatch(/has no TLS; enable it there, or remove sslmode/);
  });

  it('refuses a user who may not create tables', async () => {
    const { address } = await prepared('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    expect(await refusalOf(address(TESTER))).toMatch(
      /^User tester may not use database .*grant it .*CREATE on its schema, and all rights on its tables$/,
    );
  });

  it('refuses a database that is not ours, and one of a newer version', async () => {
    const { url } = await prepared('CREATE TABLE orders (id INT)');
    expect(await refusalOf(url)).toMatch(
      /^The database holds tables that are not of Entail \(orders\); name an empty database/,
    );
    const ours = await prepared();
    await (await openPostgresStore({ url: ours.url, log: rememberingLog() })).close();
    await ours.query(`UPDATE entail_meta SET value = '99' WHERE key = 'format'`);
    expect(await refusalOf(ours.url)).toBe(
      'The database has format 99, and this Entail reads format 1; use the Entail that wrote it or a newer one',
    );
  });

  it('refuses a database whose tables the user may not see', async () => {
    const { address } = await prepared('CREATE TABLE orders (id INT); GRANT CREATE ON SCHEMA public TO PUBLIC');
    expect(await refusalOf(address(TESTER))).toMatch(/^The database holds tables that are not of Entail \(orders\)/);
  });

  it('refuses a database that cannot store all characters', async () => {
    const { query, address } = await prepared();
    const name = `latin_${randomUUID().replaceAll('-', '')}`;
    await query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    expect(await refusalOf(address({}).replace(/[^/]*$/, name))).toBe(
      "The database has the encoding LATIN1, and Entail needs UTF8; create one with ENCODING 'UTF8' TEMPLATE template0",
    );
  });

  it('takes a weaker sslmode for verify-full, without a warning', async () => {
    const { url } = await prepared();
    const warnings: string[] = [];
    const note = ({ message }: Error) => void warnings.push(message);
    process.on('warning', note);
    expect(await refusalOf(`${url}?sslmode=require`)).toMatch(/has no TLS; enable it there/);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('makes its tables once if several servers start at the same time', async () => {
    const { url } = await prepared();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStore({ url, log: rememberingLog() })));
    const secrets = await Promise.all(stores.map((store) => store.shared?.secret()));
    expect(new Set(secrets.map((secret) => Buffer.from(secret ?? []).toString('hex'))).size).toBe(1);
    for (const store of stores) await store.close();
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Answers a request for TLS like PostgreSQL, with a certificate that it made itself. */
async function tlsServer(): Promise<{ readonly port: number; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'entail-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=db', '-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...options], { stdio: 'ignore' });
  const [key, cert] = [keyFile, certFile].map((file) => readFileSync(file));
  rmSync(folder, { recursive: true });
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => socket.destroy());
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
