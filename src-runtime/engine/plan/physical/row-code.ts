/** Generates source that reads the rows of one plan source: its prologue, lookups by key, chains, and visibility. */

import { layoutNames, layoutSource, probeSource } from '../../index/hash.js';
import { hasTombstone } from '../../relation/overlays.js';
import { NEVER } from '../../relation/row-lifetimes.js';
import { mayContainSource } from './bloom-filter.js';
import { HAS_RANK, isLower, type SourceSpec, VERSIONED } from './sources.js';

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

  constructor(names: CodeNames, spec: SourceSpec, n: number, arity: number) {
    this.names = names;
    this.spec = spec;
    this.n = n;
    this.arity = arity;
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
    const differs = columns.map((column, i) => `${this.cell(row, column)} !== ${keys[i]}`).join(' || ') || 'false';
    const layout = layoutNames(columns.length, n);
    const table = { layout, slots: `slots${n}`, mask: `mask${n}`, bits: `bits${n}` };
    return `${probeSource(keys, table, { slot, row, differs })} ${this.skip(row)}`;
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
    return `next${n}[${row}]`;
  }

  /** The code in a column of a row. */
  cell(row: string, column: number): string {
    return `rows${this.n}[${row} * ${this.arity} + ${column}]`;
  }

  /** The rank of a row. */
  rank(row: string): string {
    return `rank${this.n}[${row}]`;
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
}
