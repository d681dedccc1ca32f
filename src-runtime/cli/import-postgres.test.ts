/** Rows of PostgreSQL: with a stand-in for the driver, and where PostgreSQL is installed, from a database of the tests. */

import { beforeAll, describe, expect, it } from 'vitest';
import { serversOfTests } from '../server/testing/real.js';
import { type TestDatabase, testDatabase } from '../storage/testing/postgres.js';
import { programs, TESTER } from '../storage/testing/postgres-cluster.js';
import { type Driver, openPostgres } from './import-postgres.js';
import { shownName } from './import-source.js';
import { runProgram } from './program.js';
import { testTerminal } from './testing/terminal.js';

const MODULE = `module m
pub concept Part { code: Text unique, n: Int, price: Decimal, on: Date, at: DateTime, open: Bool, note: Text? }
pub concept Tag { text: Text unique }
pub mutation add(code: Text, n: Int, price: Decimal, on: Date, at: DateTime, open: Bool, note: Text?, tags: [Text]) {
  insert Part { code: code, n: n, price: price, on: on, at: at, open: open, note: note }
  for tag in tags { insert Tag { text: tag } }
}
pub query all() -> [{ code: Text, n: Int, price: Decimal, on: Date, at: DateTime, open: Bool, note: Text? }] {
  select { code: p.code, n: p.n, price: p.price, on: p.on, at: p.at, open: p.open, note: p.note }
  where Part(p) order by p.code
}
pub query tags() -> [Text] { select t.text where Tag(t) }
`;

const SECRET = 'top%23secret';
const ADDRESS = `postgres://ada:${SECRET}@localhost/shop`;

/** A driver that returns these rows, or fails with this error when it connects. */
function fakeDriver(columns: readonly string[], rows: readonly (readonly (string | null)[])[], failure?: Error) {
  const log: string[] = [];
  class Client {
    on() {}
    async connect() {
      if (failure !== undefined) throw failure;
    }
    query(asked: string | Cursor) {
      log.push(typeof asked === 'string' ? asked : asked.sql);
      return typeof asked === 'string' ? Promise.resolve({ fields: columns.map((name) => ({ name })) }) : asked;
    }
    async end() {
      log.push('end');
    }
  }
  class Cursor {
    private at = 0;
    readonly sql: string;
    constructor(sql: string) {
      this.sql = sql;
    }
    async read(count: number) {
      this.at += count;
      return rows.slice(this.at - count, this.at).map((cells) => ({ cells }));
    }
  }
  return { log, load: async () => ({ Client, Cursor }) as unknown as Driver };
}

describe('a PostgreSQL database', () => {
  it('is read in batches, whose rows are counted from 1', async () => {
    const driver = fakeDriver(
      ['code', 'note'],
      Array.from({ length: 1_001 }, (_, at) => [`c${at}`, null]),
    );
    const { table, close } = await openPostgres(ADDRESS, { query: 'SELECT code, note FROM part; ' }, driver.load);
    const batches = [];
    for await (const batch of table.rows) batches.push(batch);
    expect(batches.map((batch) => batch.length)).toEqual([1_000, 1]);
    expect([batches[1]?.[0], table.sample.records[0]]).toEqual([
      { line: 1_001, cells: ['c1000', null] },
      { code: 'c0', note: null },
    ]);
    await close?.();
    expect(driver.log).toEqual([
      expect.stringContaining('read_only'),
      'SELECT * FROM (SELECT code, note FROM part\n) q LIMIT 0',
      expect.stringContaining('FROM (SELECT code, note FROM part\n) q'),
      'end',
    ]);
  });

  it('has tables whose names are quoted, after their schema', async () => {
    const driver = fakeDriver(['a'], [['1']]);
    await openPostgres(ADDRESS, { table: 'public.odd"name' }, driver.load);
    expect(driver.log[1]).toContain('FROM (SELECT * FROM "public"."odd""name"\n) q');
  });

  it('needs a table or a query', async () => {
    await expect(openPostgres(ADDRESS, {}, fakeDriver([], []).load)).rejects.toThrow('--table or --query');
  });

  it('has columns with different names', async () => {
    const driver = fakeDriver(['a', 'a'], [['1', '2']]);
    await expect(openPostgres(ADDRESS, { query: 'q' }, driver.load)).rejects.toThrow('Two columns are named "a".');
    expect(driver.log.at(-1)).toBe('end');
  });

  it('never shows its password', async () => {
    const failure = new Error(`cannot use ${ADDRESS}, ${SECRET} or ${decodeURIComponent(SECRET)}`);
    const driver = fakeDriver([], [], failure);
    await expect(openPostgres(ADDRESS, { query: 'q' }, driver.load)).rejects.toThrow(
      'Cannot read postgres://ada@localhost/shop: cannot use ***, *** or ***.',
    );
    const names = [`postgresql://h/d?password=${SECRET}`, 'postgres://u:a#b@h/d', 'parts.csv'].map(shownName);
    expect(names).toEqual(['postgresql://h/d', 'The PostgreSQL database', 'parts.csv']);
  });
});

if (programs !== undefined) {
  const started = serversOfTests();
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await database.query(`ALTER DATABASE ${database.name} SET timezone = 'Asia/Tokyo'`);
  });

  const imported = async (password: string, options: readonly string[]) => {
    const server = await started(MODULE);
    const { url, token } = server.running;
    const terminal = testTerminal();
    const args = [
      'import',
      url,
      'm::add',
      database.address({ user: TESTER.user, password }),
      '--token',
      token,
      ...options,
    ];
    const code = await runProgram(args, { version: '1', page: undefined }, terminal);
    return {
      code,
      complaints: terminal.complaints,
      rows: (await server.query('m::all')).body.result,
      tags: (await server.query('m::tags')).body.result,
    };
  };

  describe('a real PostgreSQL', () => {
    it('gives values of all types', async () => {
      const query = `SELECT 'A' code, 9007199254740991::int8 n, 12345678901234567890.123456789::numeric price,
        '2026-01-31'::date AS "on", '2026-01-31T10:00:00.5Z'::timestamptz at, true open, NULL note, '{x,"y z"}'::text[] tags, 1 extra
        UNION ALL SELECT 'B', -2, 1.50, '2026-12-01', '2026-01-31T10:00:00Z', false, '', '{}', 2 -- all;`;
      const { code, complaints, rows, tags } = await imported(TESTER.password, ['--query', query]);
      const at = '2026-01-31T10:00:00';
      expect([code, complaints, rows, tags]).toEqual([
        0,
        '',
        [
          {
            ...{ code: 'A', n: 9007199254740991, price: '12345678901234567890.123456789', on: '2026-01-31' },
            ...{ at: `${at}.500Z`, open: true, note: null },
          },
          {
            ...{ code: 'B', n: -2, price: '1.5', on: '2026-12-01' },
            ...{ at: `${at}.000Z`, open: false, note: '' },
          },
        ],
        ['x', 'y z'],
      ]);
    });

    it('reports a missing table and a wrong password without the password', async () => {
      const missing = await imported(TESTER.password, ['--table', 'part']);
      expect([missing.code, missing.complaints]).toEqual([
        1,
        expect.stringMatching(/^error: Cannot read postgres:\/\/tester@\S+: relation "part" does not exist\.\n$/),
      ]);
      const refused = await imported('wrong-one', ['--table', 'part']);
      expect(refused.complaints).toContain('password authentication failed for user "tester"');
      expect(refused.complaints).not.toContain('wrong-one');
    });

    it('reports a query that fails on the way', async () => {
      const query = `SELECT n code, n, 1 / (7000 - n) price, '2026-01-31'::date AS "on", '2026-01-31T10:00Z'::timestamptz at,
        true open, '{}'::text[] tags FROM generate_series(1, 9000) n`;
      const { code, complaints } = await imported(TESTER.password, ['--query', query, '--one-transaction']);
      expect([code, complaints]).toEqual([1, expect.stringContaining('division by zero.\n')]);
    });
  });
}
