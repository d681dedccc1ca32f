/** Generates source that reads the rows of one plan source: its prologue, lookups by key, chains, and visibility. */

import { COVERED_RANK, coveredColumn, coveredWidth } from '../../index/covering.js';
import { layoutNames, layoutSource, probeSource } from '../../index/hash.js';
import { hasTombstone } from '../../relation/overlays.js';
import { NEVER } from '../../relation/row-lifetimes.js';
import { mayContainSource } from './bloom-filter.js';
import { HAS_RANK, isCoverable, isLower, type SourceSpec, VERSIONED } from './sources.js';

/** What the code of a source needs from its unit. */
export interface CodeNames {
  /** Statement for every loop over rows. */
  readonly tick: string;
  /** A new name. */
  name(prefix: string): string;
  constant(value: unknown): string;
}

/** Variables with the number of the given row, and with its rank. */
export const GIVEN_ROW = 'givenRow';
export const GIVEN_RANK = 'givenRank';

export class RowCode {
  private readonly names: CodeNames;
  private readonly spec: SourceSpec;
  /** The number of the source, a suffix of its names. */
  private readonly n: number;
  private readonly arity: number;
  /** True if an index may have a covering, so that older rows of a key are not found by the chain only. */
  private readonly isCoverable: boolean;

  constructor(names: CodeNames, spec: SourceSpec, n: number, arity: number) {
    this.names = names;
    this.spec = spec;
    this.n = n;
    this.arity = arity;
    this.isCoverable = isCoverable(spec, arity);
  }

  /** Declares the variables of the source. */
  prologue(): string {
    const { n, spec } = this;
    const below = isLower(spec.role) ? `const below${n} = s${n}.below;` : '';
    if (spec.isLayered) return `const s${n} = S[${n}], layers${n} = s${n}.layers, filter${n} = s${n}.filter; ${below}`;
    const rows = `s${n}.relation`;
    const open = this.open({ source: `s${n}`, rows, lifetimes: `${rows}.lifetimes`, index: `s${n}.index` });
    return `const s${n} = S[${n}]; ${below} ${open} const low${n} = s${n}.low, high${n} = s${n}.high;`;
  }

  /** Declares the variables of the source or one layer. `from` has the expressions of its parts. */
  private open(from: { source: string; rows: string; lifetimes: string; index: string }): string {
    const { n } = this;
    const { columns, role } = this.spec;
    const lines = [`const rows${n} = ${from.rows}.rows;`];
    if (columns !== null) {
      lines.push(
        `const slots${n} = ${from.index}.slots, next${n} = ${from.index}.next, mask${n} = slots${n}.length - 1;`,
        `const layout${n} = ${from.index}.layout, bits${n} = layout${n}.bits;`,
        layoutSource(`layout${n}`, layoutNames(columns.length, n)),
      );
      if (this.isIdentity) lines.push(`const chained${n} = ${from.index}.chainedFrom;`);
    }
    if (this.isCoverable) {
      const covering = `${from.index}.covering`;
      lines.push(
        `const starts${n} = ${covering}.starts, cells${n} = ${covering}.cells, covered${n} = ${covering}.end;`,
      );
    }
    if (VERSIONED.has(role)) {
      lines.push(
        `const createdEnd${n} = ${from.source}.createdEnd, version${n} = ${from.source}.version - ${NEVER};`,
        `const deletedAt${n} = ${from.lifetimes}.deletedAt, liveEnd${n} = ${from.lifetimes}.liveEnd;`,
      );
    }
    if (HAS_RANK.has(role)) lines.push(`const rank${n} = ${from.rows}.ranks;`);
    return lines.join(' ');
  }

  /** Statements that read each layer of the source, by these keys if there is an index. */
  overLayers(statements: string, keys: readonly string[] | null): string {
    const { n, names } = this;
    if (!this.spec.isLayered) return statements;
    const [at, layer, end] = [names.name('at'), names.name('layer'), names.name('end')];
    const all = `layers${n}.length`;
    const few = keys === null ? all : `filter${n} === null || ${mayContainSource(`filter${n}`, keys)} ? ${all} : 1`;
    return `const ${end} = ${few}; for (let ${at} = 0; ${at} < ${end}; ${at}++) { const ${layer} = layers${n}[${at}];
      ${this.open({ source: layer, rows: layer, lifetimes: layer, index: layer })}
      const low${n} = 0, high${n} = ${layer}.count, tombstones${n} = ${layer}.tombstones, offset${n} = ${layer}.offset;
      ${statements} }`;
  }

  /** Statements that set `row` to the newest visible row with these keys, or below the lower bound. */
  probe(row: string, keys: readonly string[]): string {
    const { n } = this;
    const columns = this.spec.columns ?? [];
    const slot = this.names.name('slot');
    const differs = columns.map((column, i) => `${this.plainCell(row, column)} !== ${keys[i]}`).join(' || ') || 'false';
    const layout = layoutNames(columns.length, n);
    const table = { layout, slots: `slots${n}`, mask: `mask${n}`, bits: `bits${n}` };
    const start = this.isCoverable ? `let ${placeOf(row)} = covered${n} > 0 ? starts${n}[${slot}] : 0;` : '';
    return `${probeSource(keys, table, { slot, row, differs })} ${start}
      ${this.skip(row)}`;
  }

  /** Statements that advance to the newest visible row of the chain. */
  private skip(row: string): string {
    const { n } = this;
    const { role } = this.spec;
    const visible = this.isVisible(row);
    if (visible === null && role === 'given') return '';
    const unseen = visible === null ? `${row} >= high${n}` : `!(${visible})`;
    // A growing relation has no two rows with the same tuple.
    if (this.isIdentity && visible === null && role !== 'prefix' && role !== 'whole')
      return `if (${unseen}) ${row} = -1;`;
    return `while (${row} >= 0 && ${unseen}) { ${this.names.tick} ${row} = ${this.older(row)}; }`;
  }

  /** The next row after one found by `probe` or by an earlier step. */
  older(row: string): string {
    const { n } = this;
    // The index over all columns has chains only for tuples that were deleted and inserted again.
    if (this.isIdentity) return `(${row} < chained${n} ? -1 : next${n}[${row} - chained${n}])`;
    if (!this.isCoverable) return `next${n}[${row}]`;
    return this.covered(row, `cells${n}[${placeOf(row)} += ${this.width}]`, `next${n}[${row}]`);
  }

  /** The code in a column outside the key, of a row found by the key. */
  cell(row: string, column: number): string {
    const plain = this.plainCell(row, column);
    if (!this.isCoverable) return plain;
    const place = coveredColumn(this.arity, this.spec.columns ?? [], column);
    return this.covered(row, `cells${this.n}[${placeOf(row)} + ${place}]`, plain);
  }

  /** The rank of a row. */
  rank(row: string): string {
    const plain = `rank${this.n}[${row}]`;
    return this.isCoverable ? this.covered(row, `cells${this.n}[${placeOf(row)} + ${COVERED_RANK}]`, plain) : plain;
  }

  /** True if a row number from `probe` or a chain is valid. */
  isRow(row: string): string {
    return this.spec.role === 'delta' ? `${row} >= low${this.n}` : `${row} >= 0`;
  }

  /** Null if every row that passes `probe` and `isRow` is visible. */
  isVisible(row: string): string | null {
    const { n } = this;
    const { role, isLayered } = this.spec;
    const parts: string[] = [];
    if (VERSIONED.has(role))
      parts.push(`${row} < createdEnd${n} && (${row} < liveEnd${n} || deletedAt${n}[${row}] > version${n})`);
    // A relation without versions when the plan was chosen may have versions now, and rows that this state does not
    // see.
    if (role === 'wholeLower') parts.push(`${row} < high${n}`);
    if (isLower(role)) parts.push(`rank${n}[${row}] < below${n}`);
    if (role === 'supporting') parts.push(`${this.rank(row)} < ${GIVEN_RANK}`);
    if (isLayered) {
      const own = this.names.constant(hasTombstone);
      parts.push(`(tombstones${n} === null || !${own}(tombstones${n}, offset${n} + ${row}))`);
    }
    return parts.length === 0 ? null : parts.join(' && ');
  }

  /** True if it is read by the index over all columns. */
  private get isIdentity(): boolean {
    return this.spec.columns?.length === this.arity;
  }

  private plainCell(row: string, column: number): string {
    return `rows${this.n}[${row} * ${this.arity} + ${column}]`;
  }

  private covered(row: string, there: string, otherwise: string): string {
    return `(${row} < covered${this.n} ? ${there} : ${otherwise})`;
  }

  private get width(): number {
    return coveredWidth(this.arity, this.spec.columns ?? []);
  }
}

/** The variable with the place of a row, or of the next covered one, in the covering's cells. */
function placeOf(row: string): string {
  return `place_${row}`;
}
