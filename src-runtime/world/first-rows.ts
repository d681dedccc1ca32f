/** The distinct rows that come first in an order, without keeping those that are known not to be among them. */

import { andThen, type Pacer, type Soon } from '../base/ports.js';
import { drive, sorted } from '../engine/index.js';

/** How many more than are wanted are kept before they are sorted and cut. */
const KEPT_MIN = 1024;

/** Where more are wanted, all are kept: to cut them would take long without a pause. */
const CUT_MAX = 20_000;

export class FirstRows<Row> {
  private readonly compare: (left: Row, right: Row) => number;
  private readonly most: number;
  /** By identity. */
  private rows = new Map<string, Row>();
  /** None behind it is wanted any more. */
  private last: Row | undefined;

  /** Infinity keeps all. */
  constructor(compare: (left: Row, right: Row) => number, most: number) {
    this.compare = compare;
    this.most = most;
  }

  get size(): number {
    return this.rows.size;
  }

  /** Of two rows with one identity the lower one counts. */
  add(row: Row, identityOf: (row: Row) => string): void {
    if (this.last !== undefined && this.compare(row, this.last) > 0) return;
    const identity = identityOf(row);
    const known = this.rows.get(identity);
    if (known !== undefined && this.compare(row, known) >= 0) return;
    this.rows.set(identity, row);
    if (this.most <= CUT_MAX && this.rows.size > 2 * this.most + KEPT_MIN) this.cut();
  }

  inOrder(pacer: Pacer): Soon<Row[]> {
    const rows = [...this.rows.values()];
    const inOrder = rows.length < 2 ? rows : drive(sorted(rows, this.compare), pacer);
    return andThen(inOrder, (all) => (all.length > this.most ? all.slice(0, this.most) : all));
  }

  private cut(): void {
    const inOrder = [...this.rows].sort(([, left], [, right]) => this.compare(left, right));
    const first = inOrder.slice(0, this.most);
    this.rows = new Map(first);
    if (first.length < inOrder.length) this.last = first.at(-1)?.[1];
  }
}
