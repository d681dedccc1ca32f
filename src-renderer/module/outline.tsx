/** The declarations of the open file: the one under the cursor is marked and in sight, each leads to its place. */

import { IconBinaryTree } from '@tabler/icons-react';
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { OutlineItem } from '../../src-runtime/language/service/index.js';
import { Cut } from '../components/cut.js';
import { ListFilter } from '../components/list-filter.js';
import { Pane } from '../components/panes.js';
import { LoadingRows } from '../components/states.js';
import { useKeptText } from '../data/kept-text.js';
import { explainLocation } from '../data/locations.js';
import { type Naming, pathOfItem } from './explain-target.js';

interface OutlineProps {
  readonly items: readonly OutlineItem[] | undefined;
  readonly cursor: number;
  readonly onOpen: (item: OutlineItem) => void;
  /** Of the source that has the items. */
  readonly naming: Naming;
}

export function Outline({ items, cursor, onOpen, naming }: OutlineProps) {
  const [filter, setFilter] = useKeptText('outline');
  const settled = useDeferredValue(filter);
  const shown = useMemo(() => {
    const wanted = settled.trim().toLowerCase();
    return [...(items ?? []).entries()].filter(([, { kind, name }]) =>
      `${kind} ${name}`.toLowerCase().includes(wanted),
    );
  }, [items, settled]);
  // Places move with each key that is typed; a row that looks the same must not be made again for that.
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
        <ul>
          {shown.map(([at, { kind, name, parts, span }]) => (
            <Row
              key={at}
              at={at}
              kind={kind}
              name={name}
              parts={parts}
              isCurrent={span.start.offset <= cursor && cursor <= span.end.offset}
              path={pathOfItem(naming, { kind, name })}
              onOpen={openAt}
            />
          ))}
          {shown.length === 0 && (
            <li className="pane-padded dim">
              {items.length === 0 ? 'What the file declares is listed here.' : 'Nothing declared under that name.'}
            </li>
          )}
        </ul>
      )}
    </Pane>
  );
}

interface RowProps extends Pick<OutlineItem, 'kind' | 'name' | 'parts'> {
  /** Its place among all items. */
  readonly at: number;
  readonly isCurrent: boolean;
  /** Under which its facts are explained; undefined where it has none. */
  readonly path: string | undefined;
  readonly onOpen: (at: number) => void;
}

const Row = memo(function Row({ at, kind, name, parts, isCurrent, path, onOpen }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li ref={row} className="outline-item in-long-list">
      <button type="button" className="plain row outline-row" aria-current={isCurrent} onClick={() => onOpen(at)}>
        <span className="outline-kind">{kind}</span>
        <Cut>{name}</Cut>
        {parts > 1 && (
          <span className="dim numeric outline-parts">
            {parts} {kind === 'fact' ? 'facts' : 'clauses'}
          </span>
        )}
      </button>
      <FactsLink path={path} name={name} />
    </li>
  );
});

/** Over the row, so that a row is one line however long its name is. */
function FactsLink({ path, name }: { path: string | undefined; name: string }) {
  if (path === undefined) return null;
  return (
    <Link
      className="outline-facts"
      to={explainLocation(path)}
      aria-label={`Why facts of ${name} hold`}
      title={`Why facts of ${name} hold (Shift+Alt+E in the editor)`}
    >
      <IconBinaryTree size={14} aria-hidden />
    </Link>
  );
}
