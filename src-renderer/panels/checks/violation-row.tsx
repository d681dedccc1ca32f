/** A violation as a link to its proof, or a resolved violation as text. */

import { clsx } from 'clsx';
import { Link } from 'react-router';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { inBrief } from '../../model/facts/labels.js';
import { explainLocation } from '../../model/facts/locations.js';
import { endpointWords } from '../../model/sentences/sentence.js';
import { directionOfTemplate } from '../../model/text/direction.js';
import { Cut } from '../../ui/cut.js';
import { NamedText } from '../../ui/named-text.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import type { ShownCheck } from './check-groups.js';
import styles from './checks.module.css';
import type { Unseen } from './unseen.js';

interface ViolationRowProps {
  readonly violation: Firing;
  readonly check: ShownCheck;
  readonly isNew: boolean;
}

export function ViolationRow({ violation, check, isNew }: ViolationRowProps) {
  return (
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
