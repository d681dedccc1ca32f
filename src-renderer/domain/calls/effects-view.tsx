/** The net changes of a mutation: stored facts, conclusions and violations. */

import { clsx } from 'clsx';
import { useContext } from 'react';
import { Link } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Effects, JsonValue, WireEvent } from '../../../src-runtime/api/schemas/schemas.js';
import { ForkOfPart } from '../../model/calls/place.js';
import { explainLocation, fieldName, shortName } from '../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../model/facts/relation-index.js';
import { type EffectItem, effectGroups, namesOfEffects, writtenItems } from '../../model/sentences/effects-model.js';
import { LettersMax, LINE_LETTERS_MAX } from '../../ui/brief.js';
import { Glyph } from '../../ui/glyph.js';
import { NamedText } from '../../ui/named-text.js';
import { KnownLabels, LocalNames, ReferenceLabel } from '../../ui/reference-label.js';
import { usePortion } from '../../ui/use-portion.js';
import { SentenceLine } from '../proof/sentence-view.js';
import { ViolationList } from '../proof/violation-list.js';
import styles from './effects-view.module.css';

interface EffectsViewProps {
  readonly effects: Effects;
  readonly schema: ServedSchema;
  /** The written changes, if known. They are counted as those of a run are. */
  readonly events?: readonly WireEvent[] | undefined;
  /** Whether the changes are saved. If so, added facts can be explained, else removed ones. */
  readonly isSaved: boolean;
  /** The transaction, if known: removed facts are then explained as of before it. */
  readonly txn?: number | undefined;
  /** The dry run, if not saved: added facts are then explained after it. */
  readonly tried?: string | undefined;
  /** Labels of individuals, if more are known than these effects have. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** Written changes and new violations are already shown beside it. */
  readonly hidesWritten?: boolean;
  /** Name of the fork, where effects on two forks are shown side by side: it makes their regions distinct. */
  readonly on?: string;
}

export function EffectsView(props: EffectsViewProps) {
  const { effects, schema, events, isSaved, txn, tried, names, hidesWritten = false, on } = props;
  const { stored: net, derived } = effectGroups(schema, effects);
  const written = events === undefined ? net : writtenItems(events, net);
  const stored = hidesWritten ? [] : written;
  const { firings, unknown, cut } = effects;
  const index = relationIndex(schema);
  const came = firings.filter(({ change }) => change === 'added' && !hidesWritten).map(({ firing }) => firing);
  const ended = firings.filter(({ change }) => change === 'removed').map(({ firing }) => firing);
  const labelled = (title: string): string => (on === undefined ? title : `${title} on ${on}`);
  const list = { index, isSaved, txn, tried, labelled };
  return (
    <KnownLabels.Provider value={names ?? namesOfEffects(schema, effects)}>
      {stored.length + derived.length === 0 && (
        <p className={clsx(styles.effectsNone, 'dim')}>{hidesWritten ? 'No conclusions change' : 'No changes'}</p>
      )}
      {stored.length > 0 && <EffectList title="Changes" items={stored} {...list} />}
      {derived.length > 0 && <EffectList title="Conclusions" items={derived} {...list} />}
      {came.length > 0 && (
        <section className={styles.effectsPart} aria-label={labelled('New violations')}>
          <h3>{came.length === 1 ? 'New violation' : 'New violations'}</h3>
          <ViolationList firings={came} isSaved={isSaved} tried={tried} />
        </section>
      )}
      {ended.length > 0 && (
        <section className={styles.effectsPart} aria-label={labelled('Resolved violations')}>
          <h3>{ended.length === 1 ? 'Resolved violation' : 'Resolved violations'}</h3>
          <ul>
            {ended.map(({ check, message, tuple }) => (
              <li key={`${check} ${JSON.stringify(tuple)}`} className={styles.effect}>
                <Glyph kind="good" />
                <span>
                  <NamedText text={message} />
                </span>{' '}
                <span className="dim">{shortName(check)}</span>
                <Why change="removed" relation={check} tuple={Object.values(tuple)} isSaved={isSaved} txn={txn} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {unknown.map(({ path, message }) => (
        <p key={path} className={styles.effectsNone}>
          <Glyph kind="warning" /> <span className="mono">{shortName(path)}</span> could not be evaluated: {message}
        </p>
      ))}
      {cut && <p className={clsx(styles.effectsNone, 'dim')}>More changes are not shown here.</p>}
    </KnownLabels.Provider>
  );
}

interface WrittenChangesProps {
  readonly events: readonly WireEvent[];
  readonly schema: ServedSchema;
  readonly isSaved: boolean;
}

/** Written changes with the heading of a dry run, where the other effects are unknown. */
export function WrittenChanges({ events, schema, isSaved }: WrittenChangesProps) {
  const items = writtenItems(events);
  if (items.length === 0) return <p className={clsx(styles.effectsNone, 'dim')}>No changes</p>;
  return <EffectList title="Changes" items={items} index={relationIndex(schema)} isSaved={isSaved} />;
}

interface EffectListProps extends Pick<EffectsViewProps, 'isSaved' | 'txn' | 'tried'> {
  readonly title: string;
  readonly items: readonly EffectItem[];
  readonly index: ReadonlyMap<string, RelationInfo>;
  /** Accessible name of a region; must be distinct if another list has the same title. */
  readonly labelled?: (title: string) => string;
}

function EffectList({ title, items, index, isSaved, txn, tried, labelled = (title) => title }: EffectListProps) {
  const { shown, more } = usePortion(items, ITEMS_FIRST);
  return (
    <section className={styles.effectsPart} aria-label={labelled(title)}>
      <h3>
        {title} <span className="dim numeric">{items.length}</span>
      </h3>
      <ul>
        {shown.map((item) => (
          <li key={`${item.change} ${item.relation} ${JSON.stringify(item.tuple)}`} className={styles.effect}>
            <Sign change={item.change} />
            <EffectWords item={item} index={index} />
            <Why change={item.change} relation={item.relation} tuple={item.tuple} {...{ isSaved, txn, tried }} />
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

/** A transaction over many rows has thousands. */
const ITEMS_FIRST = 200;

interface WhyProps
  extends Pick<EffectItem, 'change' | 'relation' | 'tuple'>,
    Pick<EffectsViewProps, 'isSaved' | 'txn' | 'tried'> {}

/** Links to the proof: of the current state, before the transaction, or after the dry run. */
function Why({ change, relation, tuple, isSaved, txn, tried }: WhyProps) {
  const fork = useContext(ForkOfPart);
  const ofTheScope = useContext(LocalNames) === undefined;
  const holdsNow = (change === 'added') === isSaved;
  const isKnown = holdsNow || (isSaved ? txn : tried) !== undefined;
  if (!ofTheScope || change === 'changed' || !isKnown) return null;
  return (
    <Link
      className={clsx('link', styles.effectWhy)}
      to={explainLocation(relation, tuple, fork, holdsNow ? {} : isSaved ? { before: txn } : { after: tried })}
      title={holdsNow ? undefined : isSaved ? 'Explain the earlier state' : 'Explain this dry run'}
    >
      Why?
    </Link>
  );
}

const SIGNS = { added: '+', removed: '−', changed: '→' } as const;

/** Screen readers get a word instead of the sign. */
function Sign({ change }: { change: EffectItem['change'] }) {
  return (
    <span className={styles.effectSign} data-change={change}>
      <span aria-hidden>{SIGNS[change]}</span>
      <span className="visually-hidden">{change}</span>
    </span>
  );
}

function EffectWords({ item, index }: { item: EffectItem; index: ReadonlyMap<string, RelationInfo> }) {
  const { change, relation, tuple, before, fields } = item;
  if (change === 'changed') {
    return (
      <span>
        <Subject id={tuple[0] ?? null} /> <span className="dim">{fieldName(relation)}</span>{' '}
        {before !== undefined && (
          <>
            <s className="dim">
              <Plain value={before} />
            </s>{' '}
          </>
        )}
        <Plain value={tuple[1] ?? null} />
      </span>
    );
  }
  if (fields !== undefined) {
    return (
      <span>
        {change === 'added' ? 'new' : 'deleted'} <Subject id={tuple[0] ?? null} concept={relation} />
        {fields.length > 0 && (
          <span className="dim">
            {' '}
            {fields.map(([name, value], at) => (
              <span key={name}>
                {at > 0 && ', '}
                {name} <Plain value={value} />
              </span>
            ))}
          </span>
        )}
      </span>
    );
  }
  return <SentenceLine relation={relation} tuple={tuple} info={index.get(relation)} />;
}

/** A label may be as long as a sentence; the written values follow it. */
function Subject({ id, concept }: { id: JsonValue; concept?: string }) {
  return (
    <LettersMax value={LINE_LETTERS_MAX}>
      <ReferenceLabel value={id} reference concept={concept} />
    </LettersMax>
  );
}

function Plain({ value }: { value: JsonValue }) {
  return value === null ? <span>none</span> : <ReferenceLabel value={value} />;
}
