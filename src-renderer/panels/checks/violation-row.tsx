/** A violation as a link to its proof, or a resolved violation as text. */

import { clsx } from 'clsx';
import { createContext, lazy, Suspense, useContext, useState } from 'react';
import { Link } from 'react-router';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { LoadingRows } from '../../domain/failure/states.js';
import { usePlace } from '../../model/calls/place.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { inBrief } from '../../model/facts/labels.js';
import { explainLocation, historyLocation } from '../../model/facts/locations.js';
import { endpointWords } from '../../model/sentences/sentence.js';
import { directionOfTemplate } from '../../model/text/direction.js';
import { timeText } from '../../model/text/time-text.js';
import type { Origins } from '../../server-state/checks.js';
import { useForkNames } from '../../server-state/forks.js';
import { loadPart } from '../../server-state/load-part.js';
import { Cut } from '../../ui/cut.js';
import { NamedText } from '../../ui/named-text.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import type { ShownCheck } from './check-groups.js';
import styles from './checks.module.css';
import type { Unseen } from './unseen.js';

const ViolationFix = lazy(async () => ({
  default: (await loadPart(() => import('./violation-fix.js'))).ViolationFix,
}));

/** Since when the shown violations exist; undefined while that is unknown. */
export const ViolationOrigins = createContext<Origins | undefined>(undefined);

interface ViolationRowProps {
  readonly violation: Firing;
  readonly check: ShownCheck;
  readonly isNew: boolean;
}

export function ViolationRow({ violation, check, isNew }: ViolationRowProps) {
  const [isFixing, setFixing] = useState(false);
  return (
    <>
      <div className={styles.firingLine}>
        <Link
          className={clsx('row', styles.firingRow)}
          to={explainLocation(violation.check, Object.values(violation.tuple))}
        >
          <span className={styles.firingMark}>{isNew && 'new'}</span>
          <Message text={violation.message} check={check} />
          <Tuple tuple={violation.tuple} check={check} />
          <span className={clsx(styles.firingWhy, 'link')} aria-hidden>
            Why?
          </span>
        </Link>
        <button type="button" className="plain link" aria-expanded={isFixing} onClick={() => setFixing(!isFixing)}>
          Fix…
        </button>
      </div>
      <p className={clsx(styles.firingSince, 'dim', 'numeric')}>
        <Since violation={violation} />
      </p>
      {isFixing && (
        <Suspense fallback={<LoadingRows rows={2} />}>
          <ViolationFix violation={violation} />
        </Suspense>
      )}
    </>
  );
}

/** Since when, and by which transaction. The line is rendered before its text is known, so that the rows do not move. */
function Since({ violation }: Pick<ViolationRowProps, 'violation'>) {
  const origins = useContext(ViolationOrigins);
  const origin = origins?.of(violation);
  const nameOf = useForkNames();
  const { fork } = usePlace();
  if (origin === undefined) return '\u00a0';
  if (origin === null) return 'since the start, declared in the module';
  const { at, cause, principal, txn } = origin;
  const { words, fork: source } = causeWords(cause);
  return (
    <>
      since <time dateTime={at}>{timeText(at)}</time>, by{' '}
      <Link className="link" to={historyLocation(fork, txn)}>
        {source === undefined ? words : `${words} ${nameOf(source)}`}
      </Link>
      {principal !== null && ` for ${principal}`}
    </>
  );
}

export function ResolvedRows({ unseen, check }: { unseen: Unseen; check: ShownCheck }) {
  return unseen.resolved.map(({ key, message, tuple }) => (
    <li key={`gone ${key}`} className={clsx('row', styles.firingRow, styles.firingGone)}>
      <span className={styles.firingMark}>resolved</span>
      <Message text={message} check={check} />
      <Tuple tuple={tuple} check={check} />
      <span />
    </li>
  ));
}

/** A longer message would push other violations out of view; the tooltip has it in full. */
const MESSAGE_LETTERS_MAX = 1_000;

/** Wraps, because the message is what the user came to read. */
function Message({ text, check: { declared } }: { text: string; check: ShownCheck }) {
  const brief = inBrief(text, MESSAGE_LETTERS_MAX);
  return (
    <span
      className={styles.firingMessage}
      dir={directionOfTemplate(declared?.message ?? text)}
      title={brief === text ? undefined : text}
    >
      <NamedText text={brief} />
    </span>
  );
}

function Tuple({ tuple, check: { declared } }: { tuple: Firing['tuple']; check: ShownCheck }) {
  return (
    <Cut className={styles.firingTuple}>
      {Object.entries(tuple).map(([name, value], position) => (
        <span key={name} className={styles.firingValue}>
          <span className={clsx('dim', styles.firingName)} title={name}>
            {declared === undefined ? name : endpointWords({ endpoints: declared.parameters }, position)}
          </span>{' '}
          <ReferenceLabel value={value} reference={declared?.parameters[position]?.type.kind === 'class'} />
        </span>
      ))}
    </Cut>
  );
}
