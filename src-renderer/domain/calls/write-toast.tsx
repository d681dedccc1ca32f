/** The toast after a write of this page: what changed, in one line, and Undo or Redo. A newer one replaces it. */

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { callTitle } from '../../model/calls/calls.js';
import { usePastReason } from '../../model/calls/place.js';
import { idLabel, inBrief, looksLikeReference } from '../../model/facts/labels.js';
import { fieldName, shortName } from '../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../model/facts/relation-index.js';
import { valueText } from '../../model/facts/value-text.js';
import { type EffectItem, effectGroups, namesOfEffects, writtenItems } from '../../model/sentences/effects-model.js';
import { sentenceOf, sentenceText } from '../../model/sentences/sentence.js';
import { numberText } from '../../model/text/count-text.js';
import { useTransactionEffects } from '../../server-state/facts.js';
import { useMissingGrant } from '../../server-state/health.js';
import { lastWrite, type ReportedWrite, type UserAction } from '../../server-state/live.js';
import { useSchema } from '../../server-state/module.js';
import { isRedo, isUndoable, originalOf, type UndoOutcome } from '../../server-state/undo-write.js';
import { createStore, useStore } from '../../state/store.js';
import { LINE_LETTERS_MAX } from '../../ui/brief.js';
import { useLabels } from '../../ui/reference-label.js';
import { ForkName } from '../fork/fork-name.js';
import { changesText } from './outcome-words.js';
import { useUndo } from './use-undo.js';
import { REPLAYED_UNASKED_MAX } from './what-followed.js';
import styles from './write-toast.module.css';

/** Long enough to read the toast and to reach its button. It stays while it has the pointer or the focus. */
const SHOWN_MS = 20_000;

const ID = 'last-change';

/** Whether the toast has the pointer or the focus. */
const held = createStore(false);
const hold = (): void => held.set(true);
const release = (): void => held.set(false);

/** An open toast updates to the last write without another call. */
export function showWriteToast(): void {
  notifications.show({
    id: ID,
    message: <WriteToast />,
    position: 'bottom-center',
    // The text inside is the live region, so that the buttons are not read with it.
    role: 'group',
    'aria-label': 'Last change',
    className: styles.toast,
    autoClose: false,
    onMouseEnter: hold,
    onMouseLeave: release,
    onFocus: hold,
    onBlur: release,
    onClose: release,
  });
}

function hide(): void {
  notifications.hide(ID);
}

function WriteToast() {
  const write = useStore(lastWrite);
  const isHeld = useStore(held);
  const missingGrant = useMissingGrant('fork');
  const past = usePastReason();
  const undo = useUndo();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each write is shown for the whole time.
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(hide, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, write]);
  if (write === undefined) return null;
  const isUndo = write.action.kind === 'undo';
  const isUndone = isUndo && !isRedo(write);
  // The undo is a write too, so this toast shows it next.
  const onSuccess = ({ isDone }: UndoOutcome): void => (isDone ? undefined : hide());
  return (
    <div className={styles.line}>
      <Announced>
        {isUndo && <strong>{isUndone ? 'Undone: ' : 'Redone: '}</strong>}
        <WriteText write={originalOf(write)} isBrief={isUndo} />
      </Announced>
      {isUndoable(write) && missingGrant === undefined && (
        <Button
          variant="default"
          size="compact-xs"
          loading={undo.isPending}
          disabled={past !== undefined}
          title={past}
          onClick={() => undo.mutate(write, { onSuccess })}
        >
          {isUndone ? 'Redo' : 'Undo'}
        </Button>
      )}
    </div>
  );
}

/** Screen readers announce only what is added to a live region, so the text follows the region. */
function Announced({ children }: { readonly children: ReactNode }) {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return (
    <span className={styles.text} aria-live="polite" aria-atomic>
      {isThere && children}
    </span>
  );
}

interface WriteTextProps {
  readonly write: ReportedWrite;
  /** Without counts, if the title says enough. */
  readonly isBrief: boolean;
}

function WriteText(props: WriteTextProps) {
  const schema = useSchema().data;
  return schema === undefined ? null : <Changes {...props} schema={schema} />;
}

function Changes({ write, isBrief, schema }: WriteTextProps & { readonly schema: ServedSchema }) {
  const { action, events, txns } = write;
  const [first] = events;
  const isCheap = txns.length === 1 && first !== undefined && first.seq <= REPLAYED_UNASKED_MAX;
  const effects = useTransactionEffects(txns[0] ?? 0, write, isCheap).data;
  const { items, conclusions, names } = useMemo(() => {
    const { stored, derived } = effectGroups(schema, effects ?? NO_EFFECTS);
    return {
      items: writtenItems(events, stored),
      conclusions: derived.length,
      names: namesOfEffects(schema, effects ?? NO_EFFECTS),
    };
  }, [schema, effects, events]);
  const labels = useLabels();
  // As text: a name in the toast must not make the same name on the page ambiguous.
  const nameOf = (id: string): string => names.get(id) ?? labels.get(id) ?? idLabel(id);
  const warnings = effects?.firings.filter(({ change }) => change === 'added').length ?? 0;
  const [only, ...others] = items;
  const isSentence = action.kind === 'edit' && only !== undefined && others.length === 0;
  const counts =
    action.kind === 'import'
      ? `${numberText(action.changes)} ${action.changes === 1 ? 'change' : 'changes'}`
      : changesText(isSentence ? [] : items, conclusions, warnings);
  const isCount = action.kind === 'edit' && !isSentence;
  return (
    <>
      {!isCount && (
        <strong>
          {isSentence ? (
            itemText(only, relationIndex(schema).get(only.relation), nameOf)
          ) : (
            <ActionText action={action} about={subjectOf(items)} nameOf={nameOf} />
          )}
        </strong>
      )}
      {isCount ? counts : counts !== '' && !isBrief && `: ${counts}`}
    </>
  );
}

const NO_EFFECTS = { facts: [] };

/** What the call is about: the individual that it created, or else the first that it changed. */
function subjectOf(items: readonly EffectItem[]): JsonValue | undefined {
  return (items.find(({ fields }) => fields !== undefined) ?? items[0])?.tuple[0];
}

function itemText(item: EffectItem, info: RelationInfo | undefined, nameOf: (id: string) => string): string {
  const { change, relation, tuple, before, fields } = item;
  const [id = null, value = null] = tuple;
  const named = valueText(id, true, nameOf);
  if (change === 'changed') {
    const brief = (each: JsonValue): string =>
      inBrief(valueText(each, looksLikeReference(each), nameOf), LINE_LETTERS_MAX);
    return `${named} ${fieldName(relation)} ${before === undefined ? '' : `${brief(before)} → `}${brief(value)}`;
  }
  if (fields === undefined) {
    return `${change === 'removed' ? 'removed: ' : ''}${sentenceText(sentenceOf(relation, tuple, info), nameOf)}`;
  }
  return `${change === 'added' ? 'new' : 'deleted'} ${shortName(relation)} ${named}`;
}

interface ActionTextProps {
  readonly action: UserAction;
  readonly about: JsonValue | undefined;
  readonly nameOf: (id: string) => string;
}

function ActionText({ action, about, nameOf }: ActionTextProps) {
  switch (action.kind) {
    case 'call': {
      const { request } = action;
      if (request.kind === 'batch') return `Batch of ${request.steps.length}`;
      const isAbout = request.kind === 'mutation' && looksLikeReference(about ?? null);
      return `${callTitle(request)}${isAbout ? ` ${valueText(about ?? null, true, nameOf)}` : ''}`;
    }
    case 'run':
      return action.calls === 1 ? '1 call' : `${action.calls} calls`;
    case 'import':
      return `Imported ${numberText(action.rows)} ${action.rows === 1 ? 'row' : 'rows'}`;
    case 'promote':
      return (
        <>
          Promoted <ForkName id={action.fork} />
        </>
      );
    case 'rebase':
      return (
        <>
          Rebased <ForkName id={action.fork} />
        </>
      );
    case 'revertPromotion':
      return (
        <>
          Reverted the promotion of <ForkName id={action.fork} />
        </>
      );
    case 'pick':
      return `Cherry-picked transaction ${numberText(action.txn)}`;
    case 'revert':
      return `Reverted transaction ${numberText(action.txn)}`;
    case 'edit':
    case 'undo':
      return null;
  }
}
