/** Beside a stored step: what stored it, when and for whom, and all that was written with it. */

import type { WireEvent } from '../../src-runtime/api/schemas.js';
import { TransactionView } from '../components/transaction-view.js';

export function StoredBy({ event }: { event: WireEvent }) {
  return (
    <section className="excerpt" aria-label="Stored by">
      <TransactionView txn={event.txn} marked={event.seq} />
    </section>
  );
}
