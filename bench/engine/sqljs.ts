/** Runs a workload in sql.js: SQLite compiled to WebAssembly, the database of the product's store. */

import initSqlJs from 'sql.js';
import type { Run } from './peer.js';
import { runSql } from './sql.js';
import type { Workload } from './workloads.js';

export async function runSqljs(workload: Workload): Promise<Run> {
  const { Database } = await initSqlJs();
  const database = new Database();
  return runSql(
    {
      execute: async (statement) => {
        database.run(statement);
      },
      firstRow: async (query) => (database.exec(query)[0]?.values[0] ?? []) as number[],
      insertAll: async (table, rows) => {
        const places = rows[0]?.map(() => '?').join(', ') ?? '';
        const insert = database.prepare(`INSERT INTO ${table} VALUES (${places})`);
        database.run('BEGIN');
        for (const row of rows) insert.run([...row]);
        database.run('COMMIT');
        insert.free();
      },
      close: () => database.close(),
      wide: 'INTEGER',
      isIndexed: true,
    },
    workload,
  );
}
