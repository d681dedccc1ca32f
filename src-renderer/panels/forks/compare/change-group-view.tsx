/** What changed about one individual: a headline that opens to the facts, each with its proofs on both sides. */

import { IconChevronRight } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { momentWords } from '../../../domain/past/use-moments.js';
import { SentenceLine } from '../../../domain/proof/sentence-view.js';
import { ForkOfPart, MomentOfPart } from '../../../model/calls/place.js';
import { explainLocation, fieldName, shortName } from '../../../model/facts/locations.js';
import { useForkNames } from '../../../server-state/forks.js';
import { createStore, useStore } from '../../../state/store.js';
import { LettersMax } from '../../../ui/brief.js';
import { Glyph } from '../../../ui/glyph.js';
import { NamedText } from '../../../ui/named-text.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import { usePortion } from '../../../ui/use-portion.js';
import { type ChangeGroup, type HeadlinePart, tupleOf } from './change-groups.js';
import type { Layer } from './change-section.js';
import styles from './compare-view.module.css';
import type { Change, ComparisonRow, RelationIndex } from './comparison-rows.js';
import { useMergeDryRunText } from './merge-dry-run.js';
import type { Sides } from './use-comparison.js';

interface ChangeGroupViewProps {
  readonly group: ChangeGroup;
  readonly layer: Layer;
  readonly sides: Sides;
  readonly index: RelationIndex;
}

/** Stays while another panel shows a proof, so that the way back leads to the same facts. */
const openGroups = createStore<ReadonlySet<string>>(new Set());

export function ChangeGroupView({ group, layer, sides, index }: ChangeGroupViewProps) {
  const { change, rows } = group;
  const key = JSON.stringify([sides.left.id, sides.right.id, layer, group.key]);
  const isOpen = useStore(openGroups).has(key);
  const facts = useId();
  return (
    <div>
      <button
        type="button"
        className={clsx('plain', styles.changeHeadline)}
        aria-expanded={isOpen}
        aria-controls={facts}
        onClick={() => toggle(key)}
      >
        <IconChevronRight className={styles.changeChevron} size={14} aria-hidden />
        <Glyph kind={change} label={change} />
        {/* The individual may exist on one side only. */}
        <SideOf side={change === 'removed' ? 'left' : 'right'} sides={sides}>
          <LettersMax value={HEADLINE_LETTERS_MAX}>
            <span className={styles.changeWords}>
              {layer === 'firings' ? <ViolationHeadline group={group} /> : <Headline group={group} layer={layer} />}
            </span>
          </LettersMax>
        </SideOf>
      </button>
      <div id={facts}>{isOpen && <Facts {...{ rows, sides, index }} />}</div>
    </div>
  );
}

/** The names of one side's individuals are those on its fork, at its moment. */
function SideOf({ side, sides, children }: { side: 'left' | 'right'; sides: Sides; children: ReactNode }) {
  const { moments } = sides;
  return (
    <ForkOfPart value={sides[side].id}>
      <MomentOfPart value={moments && (side === 'left' ? moments.since : (moments.until ?? null))}>
        {children}
      </MomentOfPart>
    </ForkOfPart>
  );
}

function toggle(key: string): void {
  openGroups.update((open) => new Set(open.has(key) ? [...open].filter((each) => each !== key) : [...open, key]));
}

/** Per value. */
const HEADLINE_LETTERS_MAX = 48;

const VERBS: Readonly<Record<Change, string>> = { added: 'new', removed: 'removed', changed: 'changed' };

/** `new Lease DANA-1: rent 700, status signed`, or `changed Party Dana: +guarantees DANA-1`. */
function Headline({ group: { change, isWhole, id, label, of, parts }, layer }: { group: ChangeGroup; layer: Layer }) {
  const shown = parts.slice(0, PARTS_MAX);
  // Only the facts of an individual that is neither created nor deleted are new or removed.
  const verb = isWhole || id === undefined ? change : 'changed';
  return (
    <>
      {layer === 'stored' && <span className={`is-${verb}`}>{VERBS[verb]} </span>}
      <Subject {...{ id, label, of }} />
      {shown.length > 0 && ': '}
      {shown.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words of one line.
        <span key={at}>
          {at > 0 && ', '}
          <Part part={part} isPlain={isWhole && part.change === change} />
        </span>
      ))}
      {parts.length > PARTS_MAX && (
        <span className="dim"> and {(parts.length - PARTS_MAX).toLocaleString('en')} more</span>
      )}
    </>
  );
}

const PARTS_MAX = 6;

function Subject({ id, label, of }: Pick<ChangeGroup, 'id' | 'label' | 'of'>) {
  return (
    <strong className={styles.changeSubject}>
      {id === undefined ? (
        shortName(of)
      ) : label !== undefined ? (
        `${shortName(of)} ${label}`
      ) : (
        <ReferenceLabel value={id} reference concept={of} />
      )}
    </strong>
  );
}

const SIGNS: Readonly<Record<Change, string>> = { added: '+', removed: '−', changed: '' };

/** `isPlain` for the facts of a new or deleted individual, which need no sign. */
function Part({ part: { change, name, before, after }, isPlain }: { part: HeadlinePart; isPlain: boolean }) {
  return (
    <>
      {!isPlain && change !== 'changed' && (
        <span className={`is-${change}`}>
          <span aria-hidden>{SIGNS[change]}</span>
          <span className="visually-hidden">{change} </span>
        </span>
      )}
      <span className="dim">{name}</span>
      {before.length > 0 && ' '}
      <Values values={before} />
      {change === 'changed' && <span className="dim"> → </span>}
      {change !== 'changed' && after.length > 0 && ' '}
      <Values values={after} />
    </>
  );
}

function Values({ values }: { values: readonly JsonValue[] }) {
  return values.map((value, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: values of one tuple.
    <span key={at}>
      {at > 0 && ' '}
      {value === null ? 'none' : <ReferenceLabel value={value} />}
    </span>
  ));
}

/** The message of a single violation, else how many there are. */
function ViolationHeadline({ group: { id, label, of, rows } }: { group: ChangeGroup }) {
  const [first] = rows;
  const only = rows.length === 1 ? first?.violation : undefined;
  if (only !== undefined) {
    return (
      <>
        <span className={`is-${first?.change}`}>{first?.change === 'removed' ? 'resolved' : 'new'} </span>
        <NamedText text={only.message} /> <span className="dim">{shortName(only.check)}</span>
      </>
    );
  }
  const told = (['added', 'removed'] as const).flatMap((change) => {
    const count = rows.filter((row) => row.change === change).length;
    if (count === 0) return [];
    return [`${count.toLocaleString('en')} ${change === 'added' ? 'new' : 'resolved'}`];
  });
  return (
    <>
      <Subject {...{ id, label, of }} />: {told.join(', ')}
    </>
  );
}

function Facts({ rows, sides, index }: Pick<ChangeGroupViewProps, 'sides' | 'index'> & Pick<ChangeGroup, 'rows'>) {
  const { shown, more } = usePortion(rows);
  const tried = useMergeDryRunText(sides);
  return (
    <>
      <ul className={styles.changeFacts}>
        {shown.map((row) => (
          <Fact key={row.key} {...{ row, sides, index, tried }} />
        ))}
      </ul>
      {more !== null && <div className={styles.changeNote}>{more}</div>}
    </>
  );
}

interface FactProps extends Pick<ChangeGroupViewProps, 'sides' | 'index'> {
  readonly row: ComparisonRow;
  /** The dry run after which the right side exists, if it does not exist yet. */
  readonly tried: string | undefined;
}

function Fact({ row, sides, index, tried }: FactProps) {
  const { change, kind, relation, violation } = row;
  const { left, right, moments } = sides;
  const [before, after]: [ProofPlace, ProofPlace] =
    moments !== undefined
      ? [
          { fork: left.id, moment: moments.since },
          { fork: right.id, moment: moments.until ?? null },
        ]
      : [{ fork: left.id }, tried === undefined ? { fork: right.id } : { fork: left.id, after: tried }];
  // An absent stored fact has no proof, so the other side's link needs no name.
  const isSingle = kind === 'stored' && change !== 'changed';
  const link = (tuple: readonly JsonValue[] | undefined, place: ProofPlace): ReactNode => {
    if (tuple === undefined && isSingle) return null;
    const text = tuple === undefined ? 'Why not?' : 'Why?';
    return <ProofLink {...{ text, relation, isSingle }} tuple={tuple ?? tupleOf(row)} {...place} />;
  };
  return (
    <li className={styles.changeFact}>
      <Glyph kind={violation?.severity ?? change} label={violation?.severity ?? change} />
      <SideOf side={change === 'removed' ? 'left' : 'right'} sides={sides}>
        <span className={styles.changeWords}>
          {violation !== undefined ? (
            <>
              <NamedText text={violation.message} /> <span className="dim">{shortName(violation.check)}</span>
            </>
          ) : change === 'changed' ? (
            <>
              <span className="dim">{fieldName(relation)}</span> <Values values={row.left?.slice(1) ?? []} />{' '}
              <span className="dim">→</span> <Values values={row.right?.slice(1) ?? []} />
            </>
          ) : (
            <SentenceLine relation={relation} tuple={tupleOf(row)} info={index.get(relation)} />
          )}
        </span>
      </SideOf>
      <span className={styles.changeProofs}>
        {link(row.left, before)}
        {link(row.right, after)}
      </span>
    </li>
  );
}

/** Where a side is explained: on a fork, at a moment of it (null for now), or after a dry run. */
interface ProofPlace {
  readonly fork: string;
  readonly moment?: number | null;
  readonly after?: string;
}

interface ProofLinkProps extends ProofPlace {
  readonly text: string;
  readonly isSingle: boolean;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

function ProofLink({ text, isSingle, relation, tuple, fork, moment, after }: ProofLinkProps) {
  const name = useForkNames()(fork);
  if (moment !== undefined) {
    return (
      <Link
        className="link"
        to={explainLocation(relation, tuple, fork, { asOf: moment ?? 'now' })}
        title={`Explain as of ${momentWords(moment ?? undefined)}, and go there`}
      >
        {text} <span className={isSingle ? 'visually-hidden' : 'dim'}>{momentWords(moment ?? undefined)}</span>
      </Link>
    );
  }
  return (
    <Link
      className="link"
      to={explainLocation(relation, tuple, fork, { after })}
      title={`Explain on ${name}${after === undefined ? '' : ' with these changes'}, and switch to it`}
    >
      {text}{' '}
      <span className={isSingle ? 'visually-hidden' : 'dim'}>{after === undefined ? `on ${name}` : 'afterwards'}</span>
    </Link>
  );
}
