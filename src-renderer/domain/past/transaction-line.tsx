/** One transaction as a line, as in a list of commits: when, by what, and what changed. */

import type { ListedTransaction } from '../../../src-runtime/api/schemas/schemas.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { labelOfFields } from '../../model/facts/labels.js';
import { fieldName } from '../../model/facts/locations.js';
import { shortTimeText } from '../../model/text/time-text.js';
import { useForkNames } from '../../server-state/forks.js';
import { Cut } from '../../ui/cut.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import { EventWords } from '../calls/event-words.js';
import styles from './transaction-line.module.css';

/** Enough for a new individual with its fields. */
export const FIRST_EVENTS = 9;

/** Three cells of a grid. */
export function TransactionLine({ row: { cause, at, first, events } }: { row: ListedTransaction }) {
  const { words, fork: source } = causeWords(cause);
  const nameOf = useForkNames();
  return (
    <>
      <time className="dim numeric" dateTime={at}>
        {shortTimeText(at)}
      </time>
      <Cut className={styles.cause}>{source === undefined ? words : `${words} ${nameOf(source)}`}</Cut>
      <Cut className={styles.what}>
        <FirstChanges first={first ?? []} events={events} />
      </Cut>
    </>
  );
}

/** The first change, a new individual with its fields, and how many more there are: `new Lease QUAY-7: rent 640 and 1 more`. */
function FirstChanges({ first, events }: { first: NonNullable<ListedTransaction['first']>; events: number }) {
  const [event] = first;
  if (event === undefined) return null;
  const fields =
    event.kind === 'insertIndividual' ? first.filter(({ kind, id }) => kind === 'setField' && id === event.id) : [];
  const label = labelOfFields(Object.fromEntries(fields.map(({ field = '', value }) => [fieldName(field), value])));
  const shown = fields.filter(({ value }) => value !== label);
  const more = events - 1 - fields.length;
  return (
    <>
      <EventWords event={event} />
      {shown.map(({ seq, field = '', value = null }, at) => (
        <span key={seq}>
          {at === 0 ? ': ' : ', '}
          {fieldName(field)} <ReferenceLabel value={value} />
        </span>
      ))}
      {more > 0 && ` and ${more.toLocaleString('en')} more`}
    </>
  );
}
