/** The first distinct rows in an order. Drops rows that cannot be among them. */

import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import { drive, sorted } from '../../engine/index.js';

/** How many extra rows are collected before they are sorted and cut. */
const KEPT_MIN = 1024;

/** Above this limit all rows are kept, because a cut would block for too long. */
const CUT_MAX = 20_000;

export class FirstRows<Row> {
  private readonly compare: (left: Row, right: Row) => number;
  private readonly most: number;
  /** The only row so far. Most queries by a key find one, which needs no identity. */
  private only: Row | undefined;
  /** By identity, once there are several. */
  private rows: Map<string, Row> | undefined;
  /** Rows after this one are not needed. */
  private last: Row | undefined;

  /** Infinity keeps all rows. */
  constructor(compare: (left: Row, right: Row) => number, most: number) {
    this.compare = compare;
    this.most = most;
  }

  get size(): number {
    return this.rows?.size ?? (this.only === undefined ? 0 : 1);
  }

  /** Of two rows with one identity, the lower one is kept. */
  add(row: Row, identityOf: (row: Row) => string): void {
    if (this.rows === undefined) {
      if (this.only === undefined) {
        this.only = row;
        return;
      }
      this.rows = new Map([[identityOf(this.only), this.only]]);
    }
    if (this.last !== undefined && this.compare(row, this.last) > 0) return;
    const identity = identityOf(row);
    const known = this.rows.get(identity);
    if (known !== undefined && this.compare(row, known) >= 0) return;
    this.rows.set(identity, row);
    if (this.most <= CUT_MAX && this.rows.size > 2 * this.most + KEPT_MIN) this.cut(this.rows);
  }

  inOrder(deadline: Deadline): MaybePromise<Row[]> {
    const { rows, only, most } = this;
    if (rows === undefined) return only === undefined || most < 1 ? [] : [only];
    const inOrder = drive(sorted([...rows.values()], this.compare), deadline);
    return andThen(inOrder, (all) => (all.length > most ? all.slice(0, most) : all));
  }

  private cut(rows: ReadonlyMap<string, Row>): void {
    const inOrder = [...rows].sort(([, left], [, right]) => this.compare(left, right));
    const first = inOrder.slice(0, this.most);
    this.rows = new Map(first);
    if (first.length < inOrder.length) this.last = first.at(-1)?.[1];
  }
}
