/** The public callables of the module, grouped and filtered. */

import { memo, useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router';
import { LoadingRows } from '../../domain/failure/states.js';
import { invokeLocation, namesOf } from '../../model/facts/locations.js';
import { useKeptText } from '../../state/kept-text.js';
import { Cut } from '../../ui/cut.js';
import { ListFilter } from '../../ui/list-filter.js';
import { type Callable, groupCallables } from './callables.js';

interface CallableListProps {
  readonly callables: readonly Callable[];
  readonly pending: boolean;
  readonly chosen: string | undefined;
}

export function CallableList({ callables, pending, chosen }: CallableListProps) {
  const [filter, setFilter] = useKeptText('filter of the callables');
  const settled = useDeferredValue(filter);
  const groups = useMemo(() => groupCallables(callables, settled), [callables, settled]);
  const nameOf = useMemo(() => namesOf(callables.map((callable) => callable.path)), [callables]);
  return (
    <>
      <ListFilter label="Filter callables" value={filter} onChange={setFilter} />
      {pending && <LoadingRows rows={8} />}
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h3 className="group-title">{group.title}</h3>
          {group.callables.map(({ path }) => (
            <Row key={path} path={path} name={nameOf(path)} isChosen={path === chosen} />
          ))}
        </section>
      ))}
      {!pending && groups.length === 0 && (
        <p className="pane-padded dim">
          {callables.length === 0 ? 'Nothing yet.' : 'No callable has that in its name.'}
        </p>
      )}
    </>
  );
}

interface RowProps {
  readonly path: string;
  readonly name: string;
  readonly isChosen: boolean;
}

const Row = memo(function Row({ path, name, isChosen }: RowProps) {
  return (
    <Link className="row in-long-list" to={invokeLocation(path)} aria-current={isChosen}>
      <Cut>{name}</Cut>
    </Link>
  );
});
