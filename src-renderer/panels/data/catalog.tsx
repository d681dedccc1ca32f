/** The catalog: concepts, derived classes and relations with their number of facts. */

import { memo, useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router';
import type { RelationCount } from '../../../src-runtime/api/schemas/schemas.js';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { ConnectionFailure, isLost, wantedContext } from '../../model/facts/failure.js';
import { dataLocation, namesOf } from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { docText } from '../../model/sentences/written-sentence.js';
import { countText, countTip } from '../../model/text/count-text.js';
import { useCounts } from '../../server-state/counts.js';
import { useStoredText } from '../../state/stored-text.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane } from '../../ui/panes/panes.js';

const GROUPS = [
  { title: 'Concepts', kind: 'concept', glyph: 'class' },
  { title: 'Derived classes', kind: 'define', glyph: 'derived' },
  { title: 'Stored relations', kind: 'stored', glyph: 'stored' },
  { title: 'Derived relations', kind: 'derived', glyph: 'derived' },
] as const;

interface CatalogProps {
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly pending: boolean;
  readonly selected: string | undefined;
}

export function Catalog({ index, pending, selected }: CatalogProps) {
  const [filter, setFilter] = useStoredText('filter of the facts');
  const counts = useCounts();
  const wanted = useDeferredValue(filter).trim().toLowerCase();
  const nameOf = useMemo(() => namesOf([...index.keys()]), [index]);
  const found = [...index.values()].filter(({ path }) => nameOf(path).toLowerCase().includes(wanted));
  const isListed = ({ kind }: RelationInfo): boolean => GROUPS.some((group) => group.kind === kind);
  // The list next to it shows the missing context and connection problems, so this does not.
  const isToldBeside =
    selected !== undefined && (wantedContext(counts.error) !== undefined || counts.error instanceof ConnectionFailure);
  return (
    <Pane title="Facts">
      <ListFilter label="Filter concepts and relations" value={filter} onChange={setFilter} />
      {pending && <LoadingRows rows={8} />}
      {isLost(counts) && !isToldBeside && <LoadFailure error={counts.error} onRetry={() => void counts.refetch()} />}
      {GROUPS.map(({ title, kind, glyph }) => {
        const infos = found.filter((info) => info.kind === kind);
        if (infos.length === 0) return null;
        return (
          <section key={title} aria-label={title}>
            <h3 className="group-title">{title}</h3>
            {infos.map((info) => (
              <Row
                key={info.path}
                info={info}
                glyph={glyph}
                name={nameOf(info.path)}
                isSelected={info.path === selected}
                count={counts.data?.get(info.path)}
              />
            ))}
          </section>
        );
      })}
      {!pending && !found.some(isListed) && (
        <p className="pane-padded dim">{wanted === '' ? 'No concepts or relations' : 'No matches'}</p>
      )}
    </Pane>
  );
}

interface RowProps {
  readonly info: RelationInfo;
  readonly glyph: (typeof GROUPS)[number]['glyph'];
  readonly name: string;
  readonly isSelected: boolean;
  readonly count: RelationCount | undefined;
}

const Row = memo(function Row({ info, glyph, name, isSelected, count }: RowProps) {
  const { path } = info;
  const doc = docText(info);
  return (
    <Link className="row in-long-list" to={dataLocation(path)} aria-current={isSelected}>
      <Glyph kind={glyph} size={10} />
      <Cut {...(doc === undefined ? {} : { tip: doc })}>{name}</Cut>
      <span className="pane-spacer" />
      <span className="numeric dim" title={countTip(count)} aria-hidden>
        {countText(count)}
      </span>
      <span className="visually-hidden">{countTip(count)}</span>
    </Link>
  );
});
