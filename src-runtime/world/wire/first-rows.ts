/** The distinct rows that come first in an order, without keeping those that are known not to be among them. */

import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import { drive, sorted } from '../../engine/index.js';

/** How many more than are wanted are kept before they are sorted and cut. */
const KEPT_MIN = 1024;

/** Where more are wanted, all are kept: to cut them would take long without a pause. */
const CUT_MAX = 20_000;

export class FirstRows<Row> {
  private readonly compare: (left: Row, right: Row) => number;
  private readonly most: number;
  /** The only one, before there is another: most queries by a key find no more, and who is alone needs no identity. */
  private only: Row | undefined;
  /** By identity, where there were several. */
  private rows: Map<string, Row> | undefined;
  /** None behind it is wanted any more. */
  private last: Row | undefined;

  /** Infinity keeps all. */
  constructor(compare: (left: Row, right: Row) => number, most: number) {
    this.compare = compare;
    this.most = most;
  }

  get size(): number {
    return this.rows?.size ?? (this.only === undefined ? 0 : 1);
  }

  /** Of two rows with one identity the lower one counts. */
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
