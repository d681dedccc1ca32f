/** Runs a workload in DuckDB, a native columnar database, with one thread per core. */

import type { Run } from './peer.js';
import { runSql } from './sql.js';
import type { Workload } from './workloads.js';

/** Loaded on demand, because some platforms have no binary. */
export async function runDuckdb(workload: Workload): Promise<Run> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  return runSql(
    {
      execute: async (statement) => {
        await connection.run(statement);
      },
      firstRow: async (query) => (await connection.runAndReadAll(query)).getRows()[0]?.map(Number) ?? [],
      insertAll: async (table, rows) => {
        const appender = await connection.createAppender(table);
        for (const row of rows) {
          for (const value of row) appender.appendInteger(value);
          appender.endRow();
        }
        appender.closeSync();
      },
      close: () => {
        connection.closeSync();
        instance.closeSync();
      },
      wide: 'BIGINT',
      isIndexed: false,
    },
    workload,
  );
}
