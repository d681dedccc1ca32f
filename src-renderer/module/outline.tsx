/** The declarations of the open file: the one under the cursor is marked, each leads to its place. */

import { IconBinaryTree } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { OutlineItem } from '../../src-runtime/language/service/index.js';
import { Cut } from '../components/cut.js';
import { ListFilter } from '../components/list-filter.js';
import { Pane } from '../components/panes.js';
import { LoadingRows } from '../components/states.js';
import { useKeptText } from '../data/kept-text.js';
import { explainLocation } from '../data/locations.js';

interface OutlineProps {
  readonly items: readonly OutlineItem[] | undefined;
  readonly cursor: number;
  readonly onOpen: (item: OutlineItem) => void;
  /** The path under which the facts of an item are explained; undefined where it has none. */
  readonly factsOf: (item: OutlineItem) => string | undefined;
}

export function Outline({ items, cursor, onOpen, factsOf }: OutlineProps) {
  const [filter, setFilter] = useKeptText('outline');
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return (items ?? []).filter((item) => `${item.kind} ${item.name}`.toLowerCase().includes(wanted));
  }, [items, filter]);
  return (
    <Pane title="Outline">
      <ListFilter label="Filter the outline" value={filter} onChange={setFilter} />
      {items === undefined ? (
        <LoadingRows rows={8} />
      ) : (
        <ul>
          {shown.map((item) => (
            <li key={`${item.span.start.offset}`} className="outline-item">
              <button
                type="button"
                className="plain row outline-row"
                aria-current={item.span.start.offset <= cursor && cursor <= item.span.end.offset}
                onClick={() => onOpen(item)}
              >
                <span className="outline-kind">{item.kind}</span>
                <Cut>{item.name}</Cut>
                {item.parts > 1 && (
                  <span className="dim numeric outline-parts">
                    {item.parts} {item.kind === 'fact' ? 'facts' : 'clauses'}
                  </span>
                )}
              </button>
              <FactsLink path={factsOf(item)} name={item.name} />
            </li>
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
