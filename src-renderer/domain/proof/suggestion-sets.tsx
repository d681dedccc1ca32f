/** Suggested changes that make a tuple true or false, each set with the checks that would block it. */

import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Suggestions } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { Glyph, type GlyphKind } from '../../ui/glyph.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import { SentenceLine } from './sentence-view.js';
import type { Index } from './step-view.js';
import styles from './suggestion-sets.module.css';
import { ViolationList } from './violation-list.js';

export type SuggestedSet = Suggestions['sets'][number];

interface SuggestionSetsProps {
  readonly suggestions: Suggestions;
  readonly index: Index;
  /** The tuple is true, and the changes make it false. */
  readonly ends?: boolean;
  /** Actions on a set. */
  readonly actions?: (set: SuggestedSet) => ReactNode;
  /** Link to the proof of a violation that blocks a set. */
  readonly whyOf?: ((set: SuggestedSet, firing: Firing) => ReactNode) | undefined;
}

export function SuggestionSets({ suggestions, index, ends = false, actions, whyOf }: SuggestionSetsProps) {
  const { sets, complete, declared = [] } = suggestions;
  if (sets.length === 0 && declared.length > 0) return <Declared {...{ declared, complete, index }} />;
  if (sets.length === 0)
    return (
      <p className={clsx(styles.suggestionsNote, 'dim')}>
        {complete ? (ends ? NOTHING_ENDS : NOTHING) : NOTHING_FOUND}
      </p>
    );
  return (
    <>
      <ol className="suggestions">
        {sets.map((set) => (
          <li key={JSON.stringify(set.changes)} className={styles.suggestion}>
            <SetView set={set} index={index} whyOf={whyOf} />
            {actions !== undefined && <div className={styles.suggestionActions}>{actions(set)}</div>}
          </li>
        ))}
      </ol>
      {!complete && <p className={clsx(styles.suggestionsNote, 'dim')}>There may be other fixes of the same size.</p>}
    </>
  );
}

const NOTHING = 'No fix with up to four changes to known individuals and values.';
const NOTHING_ENDS = 'No set of up to four changes makes it false. It has more proofs, or is declared in the module.';
const NOTHING_FOUND = 'No fix found within the search limits.';

const CHANGE: Record<SuggestedSet['changes'][number]['op'], { readonly glyph: GlyphKind; readonly word: string }> = {
  insert: { glyph: 'added', word: 'add' },
  delete: { glyph: 'removed', word: 'remove' },
  set: { glyph: 'changed', word: 'set' },
};

interface DeclaredProps extends Pick<Suggestions, 'complete'> {
  readonly declared: NonNullable<Suggestions['declared']>;
  readonly index: Index;
}

/** Declared facts that prevent it: changes to stored facts cannot affect them. */
function Declared({ declared, complete, index }: DeclaredProps) {
  const isOne = declared.length === 1;
  return (
    <>
      <p className={styles.suggestionsNote}>
        {isOne ? 'This fact prevents it and is' : 'Some of these facts prevent it and are'} declared in the module.
        Change it there:
      </p>
      <ul className={styles.suggestion}>
        {declared.map(({ relation, tuple }) => (
          <li key={`${relation} ${JSON.stringify(tuple)}`} className={styles.suggestedChange}>
            <Glyph kind="declared" />
            <SentenceLine relation={relation} tuple={tuple} info={index.get(relation)} />
          </li>
        ))}
      </ul>
      <p className={clsx(styles.suggestionsNote, 'dim')}>{complete ? NOTHING_ELSE : NOTHING_ELSE_FOUND}</p>
    </>
  );
}

const NOTHING_ELSE = 'No other fix with up to four changes to known individuals and values.';
const NOTHING_ELSE_FOUND = 'No other fix found within the search limits.';

interface SetViewProps extends Pick<SuggestionSetsProps, 'index' | 'whyOf'> {
  readonly set: SuggestedSet;
}

function SetView({ set, index, whyOf }: SetViewProps) {
  const { changes, firings } = set;
  return (
    <>
      <ul>
        {changes.map(({ op, relation, tuple }) => (
          <li key={`${relation} ${JSON.stringify(tuple)}`} className={styles.suggestedChange}>
            <Glyph kind={CHANGE[op].glyph} />
            <span className={clsx('dim', styles.suggestedOp)}>{CHANGE[op].word}</span>
            <SentenceLine relation={relation} tuple={tuple} info={index.get(relation)} />
          </li>
        ))}
      </ul>
      {firings.length === 0 && <Examples changes={changes} index={index} />}
      {firings.length > 0 && (
        <div className={styles.suggestedFirings}>
          <p className="dim">Blocked by:</p>
          <ViolationList firings={firings} {...(whyOf && { whyOf: (firing: Firing) => whyOf(set, firing) })} />
        </div>
      )}
    </>
  );
}

/** Values that can be replaced by others. */
function Examples({ changes, index }: { changes: SuggestedSet['changes']; index: Index }) {
  const values = new Map(
    changes.flatMap(({ relation, tuple, examples = [] }) =>
      examples.map((position) => {
        const value = tuple[position] ?? null;
        const reference = index.get(relation)?.endpoints[position]?.type.kind === 'class';
        return [JSON.stringify(value), { value, reference }] as const;
      }),
    ),
  );
  if (values.size === 0) return null;
  return (
    <p className={clsx(styles.suggestionExamples, 'dim')}>
      Other values work too, in place of{' '}
      {[...values].map(([key, each], at) => (
        <span key={key}>
          {at > 0 && ' and '}
          <ReferenceLabel {...each} />
        </span>
      ))}
      .
    </p>
  );
}
