/** The workloads in SQL. Mutually recursive relations, which a recursive query cannot express, are a semi-naive loop. */

import { type Run, type Summary, sumOf, weighted } from './peer.js';
import { BIG_ORDER, type Relation, type Row, type Workload, type WorkloadName } from './workloads.js';

/** An in-memory SQL database. */
export interface SqlDatabase {
  execute(statement: string): Promise<void>;
  /** The first row of the result. */
  firstRow(query: string): Promise<readonly number[]>;
  insertAll(table: string, rows: readonly Row[]): Promise<void>;
  close(): void;
  /** The type that keeps sums from overflowing. */
  readonly wide: string;
  /** True if the planner needs explicit indexes and follows the written order of a `CROSS JOIN`. */
  readonly isIndexed: boolean;
}

interface SqlSolution {
  /** Indexed columns, by table. */
  readonly indexes: readonly string[];
  evaluate(database: SqlDatabase, reads: readonly Relation[]): Promise<Summary>;
}

const CLOSURE: SqlSolution = {
  indexes: ['edge(source, target)'],
  evaluate: (database, reads) =>
    summaryWith(
      database,
      reads,
      `WITH RECURSIVE path(x, y) AS (
        SELECT source, target FROM edge
        UNION SELECT path.x, edge.target FROM path JOIN edge ON edge.source = path.y)`,
    ),
};

const SOLUTIONS: Readonly<Record<WorkloadName, SqlSolution>> = {
  W1a: CLOSURE,
  W1b: CLOSURE,
  W2: {
    indexes: ['parent(older, younger)'],
    evaluate: (database, reads) =>
      summaryWith(
        database,
        reads,
        `WITH RECURSIVE same(x, y) AS (
          SELECT a.younger, b.younger FROM parent a JOIN parent b ON a.older = b.older
          UNION SELECT a.younger, b.younger FROM same
            JOIN parent a ON a.older = same.x JOIN parent b ON b.older = same.y)`,
      ),
  },
  W3: {
    indexes: [
      'assigns(source, target)',
      'loads(base, f, target)',
      'stores(base, f, source)',
      'stores(source, base, f)',
    ],
    evaluate: pointsTo,
  },
  W4: {
    indexes: ['customer(id)'],
    evaluate: (database, reads) =>
      summaryWith(
        database,
        reads,
        `WITH quiet(c) AS (
          SELECT id FROM customer WHERE id NOT IN (SELECT buyer FROM purchase WHERE amount > ${BIG_ORDER})
        ), total(r, t) AS (
          SELECT region, sum(amount) FROM purchase JOIN customer ON customer.id = buyer GROUP BY region)`,
      ),
  },
};

/** Loads and evaluates. The measured time includes counts and checksums, because the results stay in the database. */
export async function runSql(database: SqlDatabase, { name, inputs, reads }: Workload): Promise<Run> {
  const { indexes, evaluate } = SOLUTIONS[name];
  const startedAt = performance.now();
  for (const { name: table, columns, rows } of inputs) {
    await database.execute(`CREATE TABLE ${table}(${columns.map((column) => `${column} INTEGER`).join(', ')})`);
    await database.insertAll(table, rows);
  }
  if (database.isIndexed) {
    for (const [number, index] of indexes.entries()) await database.execute(`CREATE INDEX index_${number} ON ${index}`);
  }
  const loadedAt = performance.now();
  const summary = await evaluate(database, reads);
  const evaluatedAt = performance.now();
  database.close();
  return { loadMs: loadedAt - startedAt, evaluateMs: evaluatedAt - loadedAt, summary };
}

async function summaryWith(database: SqlDatabase, reads: readonly Relation[], definitions: string): Promise<Summary> {
  const summaries: Summary[] = [];
  for (const relation of reads) {
    const checksum = weighted(relation, (column) => `CAST(${column} AS ${database.wide})`);
    const row = await database.firstRow(`${definitions} SELECT count(*), sum(${checksum}) FROM ${relation.name}`);
    summaries.push({ facts: row[0] ?? 0, checksum: row[1] ?? 0 });
  }
  return sumOf(summaries);
}

/** Semi-naive evaluation: each round runs every rule with the last delta in place of each derived relation in turn. */
async function pointsTo(database: SqlDatabase, reads: readonly Relation[]): Promise<Summary> {
  const join = database.isIndexed ? 'CROSS JOIN' : 'JOIN';
  const rules = {
    points: [
      `SELECT a.target, d.h FROM points_delta d ${join} assigns a ON a.source = d.v`,
      `SELECT l.target, o.h FROM points_delta d ${join} loads l ON l.base = d.v ${join} holds o ON o.o = d.h AND o.f = l.f`,
      `SELECT l.target, d.h FROM holds_delta d ${join} points p ON p.h = d.o ${join} loads l ON l.base = p.v AND l.f = d.f`,
    ],
    holds: [
      `SELECT d.h, s.f, p.h FROM points_delta d ${join} stores s ON s.base = d.v ${join} points p ON p.v = s.source`,
      `SELECT p.h, s.f, d.h FROM points_delta d ${join} stores s ON s.source = d.v ${join} points p ON p.v = s.base`,
    ],
  };
  for (const relation of reads) await createDerived(database, relation);
  if (database.isIndexed) await database.execute('CREATE INDEX points_by_object ON points(h, v)');
  await database.execute('BEGIN');
  await database.execute('INSERT INTO points_delta SELECT v, h FROM allocates');
  await database.execute('INSERT INTO points SELECT * FROM points_delta');
  for (let isChanged = true; isChanged; ) {
    for (const { name } of reads) {
      for (const rule of rules[name as keyof typeof rules]) await database.execute(`INSERT INTO ${name}_found ${rule}`);
    }
    isChanged = false;
    for (const relation of reads) isChanged = (await takeOver(database, relation)) || isChanged;
  }
  await database.execute('COMMIT');
  return summaryWith(database, reads, '');
}

async function createDerived(database: SqlDatabase, { name, columns }: Relation): Promise<void> {
  const typed = columns.map((column) => `${column} INTEGER`).join(', ');
  const unique = database.isIndexed ? `, PRIMARY KEY (${columns.join(', ')})` : '';
  const table = database.isIndexed ? ' WITHOUT ROWID' : '';
  await database.execute(`CREATE TABLE ${name}(${typed}${unique})${table}`);
  await database.execute(`CREATE TABLE ${name}_delta(${typed})`);
  await database.execute(`CREATE TABLE ${name}_found(${typed})`);
}

/** Makes the new rows the next delta. Returns false if there are no new rows. */
async function takeOver(database: SqlDatabase, { name, columns }: Relation): Promise<boolean> {
  const equal = columns.map((column) => `known.${column} = found.${column}`).join(' AND ');
  await database.execute(`DELETE FROM ${name}_delta`);
  await database.execute(
    `INSERT INTO ${name}_delta SELECT DISTINCT * FROM ${name}_found found
      WHERE NOT EXISTS (SELECT 1 FROM ${name} known WHERE ${equal})`,
  );
  await database.execute(`INSERT INTO ${name} SELECT * FROM ${name}_delta`);
  await database.execute(`DELETE FROM ${name}_found`);
  const [count] = await database.firstRow(`SELECT count(*) FROM ${name}_delta`);
  return (count ?? 0) > 0;
}
