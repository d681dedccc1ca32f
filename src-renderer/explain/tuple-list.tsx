/** The tuples of a relation, a page at a time; each leads to its explanation. Another tuple can be asked about. */

import { Button } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { Fact, JsonValue } from '../../src-runtime/api/schemas.js';
import { Cut } from '../components/cut.js';
import { ListFilter } from '../components/list-filter.js';
import { Pane } from '../components/panes.js';
import { ReferenceLabel, useLabels } from '../components/reference-label.js';
import { LoadFailure, LoadingRows } from '../components/states.js';
import { useRowVirtualizer } from '../components/use-row-virtualizer.js';
import { plainText } from '../data/labels.js';
import { explainLocation, shortName } from '../data/locations.js';
import { useRelation } from '../data/queries.js';
import type { RelationInfo } from '../data/relation-index.js';
import { endpointWords } from '../data/sentence.js';
import { TupleForm } from './tuple-form.js';

interface TupleListProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  readonly chosen: readonly JsonValue[] | undefined;
}

export function TupleList({ info, schema, chosen }: TupleListProps) {
  const relation = useRelation(info.path);
  const labels = useLabels();
  const [filter, setFilter] = useState('');
  const [asking, setAsking] = useState(false);
  const facts = useMemo(() => relation.data?.pages.flatMap((page) => page.result) ?? [], [relation.data]);
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    if (wanted === '') return facts;
    const text = (value: JsonValue): string =>
      `${plainText(value)} ${typeof value === 'string' ? (labels.get(value) ?? '') : ''}`;
    return facts.filter((fact) => fact.tuple.map(text).join(' ').toLowerCase().includes(wanted));
  }, [facts, filter, labels]);
  const count = relation.data === undefined ? '' : `${facts.length}${relation.hasNextPage ? '+' : ''}`;
  return (
    <Pane
      label="Tuples"
      title={
        <h2 className="pane-title cut">
          {shortName(info.path)} <span className="dim numeric tuple-count">{count}</span>
        </h2>
      }
      actions={
        <Button variant="subtle" size="compact-xs" aria-expanded={asking} onClick={() => setAsking((value) => !value)}>
          Ask about a tuple
        </Button>
      }
    >
      <div className="tuples">
        {asking && <TupleForm key={info.path} info={info} schema={schema} start={chosen} />}
        <ListFilter label="Filter tuples" value={filter} onChange={setFilter} />
        {relation.isPending && <LoadingRows rows={5} />}
        {relation.isError && <LoadFailure error={relation.error} onRetry={() => void relation.refetch()} />}
        {relation.data !== undefined && <Tuples info={info} facts={shown} chosen={chosen} all={facts.length} />}
        {relation.hasNextPage && (
          <div className="tuple-more">
            <Button
              variant="default"
              loading={relation.isFetchingNextPage}
              onClick={() => void relation.fetchNextPage()}
            >
              Load more
            </Button>
          </div>
        )}
      </div>
    </Pane>
  );
}

interface TuplesProps {
  readonly info: RelationInfo;
  readonly facts: readonly Fact[];
  readonly all: number;
  readonly chosen: readonly JsonValue[] | undefined;
}

function Tuples({ info, facts, all, chosen }: TuplesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count: facts.length, scroller });
  const chosenKey = chosen === undefined ? undefined : JSON.stringify(chosen);
  if (facts.length === 0) {
    return (
      <p className="tuple-none dim">
        {all > 0
          ? 'No loaded tuple has that in it.'
          : info.kind === 'stored' || info.kind === 'concept' || info.kind === 'field'
            ? 'Nothing is stored here yet. A mutation in the Invoke panel can add to it.'
            : 'Nothing follows here yet. Ask about a tuple to see why not.'}
      </p>
    );
  }
  const columns = { gridTemplateColumns: `repeat(${info.endpoints.length}, minmax(0, 1fr))` };
  return (
    <>
      {info.endpoints.length > 1 && (
        <div className="tuple-head dim" style={columns} aria-hidden>
          {info.endpoints.map((endpoint, position) => (
            <Cut key={endpoint.name}>{endpointWords(info, position)}</Cut>
          ))}
        </div>
      )}
      <div className="tuple-scroller" ref={scroller}>
        <ul className="tuple-rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const fact = facts[item.index];
            if (fact === undefined) return null;
            return (
              <li key={fact.factId} style={{ transform: `translateY(${item.start}px)` }} className="tuple-item">
                <Link
                  className="row tuple-row"
                  style={columns}
                  to={explainLocation(info.path, fact.tuple)}
                  aria-current={JSON.stringify(fact.tuple) === chosenKey}
                >
                  {fact.tuple.map((value, position) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: positions of a tuple.
                    <Cut key={position}>
                      <ReferenceLabel value={value} reference={info.endpoints[position]?.type.kind === 'class'} />
                    </Cut>
                  ))}
                </Link>
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}
