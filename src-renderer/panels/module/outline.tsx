/** The declarations of the open file. The one at the cursor is marked and scrolled into view. */

import { IconBinaryTree, IconPlayerPlay } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { RelationCount } from '../../../src-runtime/api/schemas/schemas.js';
import type { OutlineItem } from '../../../src-runtime/language/service/index.js';
import { LoadingRows } from '../../domain/failure/states.js';
import { explainLocation } from '../../model/facts/locations.js';
import { NOT_RUN, type TestVerdict } from '../../model/facts/test-runs.js';
import { countText, countTip } from '../../model/text/count-text.js';
import { useCounts } from '../../server-state/counts.js';
import { useStoredText } from '../../state/stored-text.js';
import { Cut } from '../../ui/cut.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane } from '../../ui/panes/panes.js';
import { VerdictGlyph } from '../../ui/verdict-glyph.js';
import type { TestResults } from './editor/editor-tests.js';
import { type Naming, pathOfItem } from './editor/explain-target.js';
import { runTargetOf } from './editor/run-target.js';
import styles from './module.module.css';

interface OutlineProps {
  readonly items: readonly OutlineItem[] | undefined;
  readonly cursor: number;
  readonly onOpen: (item: OutlineItem) => void;
  /** The names of the source with the items. */
  readonly naming: Naming;
  /** Test results, keyed by test key. */
  readonly tests: TestResults;
}

export function Outline({ items, cursor, onOpen, naming, tests }: OutlineProps) {
  const [filter, setFilter] = useStoredText('outline');
  const deferred = useDeferredValue(filter);
  const counts = useCounts().data;
  const shown = useMemo(() => {
    const query = deferred.trim().toLowerCase();
    return [...(items ?? []).entries()].filter(([, { kind, name }]) => `${kind} ${name}`.toLowerCase().includes(query));
  }, [items, deferred]);
  // Offsets change with each key. Rows look them up, so that an unchanged row is not rendered again.
  const latest = useRef({ items, onOpen });
  useEffect(() => {
    latest.current = { items, onOpen };
  });
  const openAt = useCallback((at: number) => {
    const item = latest.current.items?.[at];
    if (item !== undefined) latest.current.onOpen(item);
  }, []);
  return (
    <Pane title="Outline">
      <ListFilter label="Filter the outline" value={filter} onChange={setFilter} />
      {items === undefined ? (
        <LoadingRows rows={8} />
      ) : (
        <ul className={styles.outlineList}>
          {shown.map(([at, { kind, name, parts, span, public: isPublic }]) => {
            const target = runTargetOf(naming, { kind, name, public: isPublic });
            const { verdict, words } = (target?.kind === 'test' ? tests.get(target.test) : undefined) ?? NOT_RUN;
            return (
              <Row
                key={at}
                at={at}
                kind={kind}
                name={name}
                parts={parts}
                isCurrent={span.start.offset <= cursor && cursor <= span.end.offset}
                path={pathOfItem(naming, { kind, name })}
                target={target?.to}
                verdict={verdict}
                verdictWords={words}
                // A declared fact counts as one of its relation, whose row shows the count.
                count={kind === 'fact' ? undefined : counts?.get(pathOfItem(naming, { kind, name }) ?? '')}
                onOpen={openAt}
              />
            );
          })}
          {shown.length === 0 && (
            <li className="pane-padded dim">
              {items.length === 0 ? 'The declarations of the file appear here.' : 'No matches'}
            </li>
          )}
        </ul>
      )}
    </Pane>
  );
}

interface RowProps extends Pick<OutlineItem, 'kind' | 'name' | 'parts'> {
  /** Its index among all items. */
  readonly at: number;
  readonly isCurrent: boolean;
  /** The relation with its facts. Undefined if it has none. */
  readonly path: string | undefined;
  /** Where it is called or tested. Undefined if it cannot be. */
  readonly target: string | undefined;
  /** Its test result. */
  readonly verdict: TestVerdict;
  readonly verdictWords: string;
  /** Its number of facts in the running module. */
  readonly count: RelationCount | undefined;
  readonly onOpen: (at: number) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { at, kind, name, parts, isCurrent, path, target, verdict, verdictWords, count, onOpen } = props;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li ref={row} className={clsx(styles.outlineItem, 'in-long-list')}>
      <button
        type="button"
        className={clsx('plain', 'row', styles.outlineRow)}
        aria-current={isCurrent}
        onClick={() => onOpen(at)}
      >
        <span className={styles.outlineKind}>{kind}</span>
        <Cut>{name}</Cut>
        {parts > 1 && (
          <span className={clsx('dim', 'numeric', styles.outlineParts)}>
            <Cut>{`${parts} ${kind === 'fact' ? 'facts' : 'clauses'}`}</Cut>
          </span>
        )}
      </button>
      {path !== undefined && <FactsLink path={path} name={name} count={count} />}
      {target !== undefined &&
        (kind === 'test' ? (
          <TestLink to={target} name={name} verdict={verdict} words={verdictWords} />
        ) : (
          <CallLink to={target} name={name} />
        ))}
    </li>
  );
});

/** Positioned over the row, so that the row is one line however long its name is. */
function FactsLink({ path, name, count }: { path: string; name: string; count: RelationCount | undefined }) {
  const isKnown = typeof count?.facts === 'number';
  const words = `Proofs of ${name}`;
  return (
    <Link
      className={clsx(styles.outlineWay, 'numeric')}
      to={explainLocation(path)}
      aria-label={isKnown ? `${words}: ${countTip(count)}` : words}
      title={`${isKnown ? `${countTip(count)}. ` : ''}${words} (Shift+Alt+E in the editor)`}
    >
      {isKnown ? countText(count) : <IconBinaryTree size={14} aria-hidden />}
    </Link>
  );
}

function CallLink({ to, name }: { to: string; name: string }) {
  const words = `Call ${name}`;
  return (
    <Link className={styles.outlineWay} to={to} aria-label={words} title={`${words} (Shift+Alt+R in the editor)`}>
      <IconPlayerPlay size={14} aria-hidden />
    </Link>
  );
}

interface TestLinkProps {
  readonly to: string;
  readonly name: string;
  readonly verdict: TestVerdict;
  readonly words: string;
}

function TestLink({ to, name, verdict, words }: TestLinkProps) {
  const all = `Test ${name}: ${words}`;
  return (
    <Link className={styles.outlineWay} to={to} aria-label={all} title={`${all} (Shift+Alt+R in the editor)`}>
      <VerdictGlyph verdict={verdict} />
    </Link>
  );
}
