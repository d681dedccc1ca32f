/** The relations: derived first, then stored relations, concepts, checks and fields. */

import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { RelationCount } from '../../../../src-runtime/api/schemas/schemas.js';
import { LoadingRows } from '../../../domain/failure/states.js';
import type { Index } from '../../../domain/proof/step-view.js';
import { explainLocation, namesOf } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { countText, countTip } from '../../../model/text/count-text.js';
import { useCounts } from '../../../server-state/counts.js';
import { useStoredText } from '../../../state/stored-text.js';
import { Cut } from '../../../ui/cut.js';
import { Glyph } from '../../../ui/glyph.js';
import { ListFilter } from '../../../ui/list-filter.js';
import { Pane, useIsNarrow } from '../../../ui/panes/panes.js';
import { RecentFacts } from './find-fact.js';
import type { FactReference } from './recent-facts.js';

const GROUPS = [
  { title: 'Derived', kinds: ['derived'], glyph: 'derived' },
  { title: 'Stored', kinds: ['stored'], glyph: 'stored' },
  { title: 'Classes', kinds: ['define', 'concept'], glyph: 'class' },
  { title: 'Checks', kinds: ['check'], glyph: 'warning' },
  { title: 'Fields', kinds: ['field'], glyph: 'stored' },
] as const;

export function RelationList({
  index,
  pending,
  selected,
  question,
}: {
  index: Index;
  pending: boolean;
  selected: string | undefined;
  question: FactReference | undefined;
}) {
  const [filter, setFilter] = useStoredText('relations to explain');
  const counts = useCounts().data;
  const query = filter.trim().toLowerCase();
  const selectedFact = JSON.stringify(question?.tuple ?? null);
  const nameOf = namesOf([...index.keys()]);
  const all = [...index.values()].filter((info) => nameOf(info.path).toLowerCase().includes(query));
  return (
    <Pane title="Relations">
      <ListFilter label="Filter relations" value={filter} onChange={setFilter} />
      {pending && <LoadingRows rows={6} />}
      {query === '' && <RecentFacts index={index} selected={question} />}
      {GROUPS.map(({ title, kinds, glyph }) => {
        const infos = all.filter((info) => (kinds as readonly string[]).includes(info.kind));
        if (infos.length === 0) return null;
        return (
          <section key={title} aria-label={title}>
            <h3 className="group-title">{title}</h3>
            {infos.map((info) => (
              <RelationRow
                key={info.path}
                name={nameOf(info.path)}
                info={info}
                glyph={glyph}
                selected={info.path === selected}
                selectedFact={selectedFact}
                count={counts?.get(info.path)}
              />
            ))}
          </section>
        );
      })}
      {!pending && all.length === 0 && (
        <p className="pane-padded dim">{query === '' ? 'No relations' : 'No matches'}</p>
      )}
    </Pane>
  );
}

function RelationRow({
  name,
  info,
  glyph,
  selected,
  selectedFact,
  count,
}: {
  name: string;
  info: RelationInfo;
  glyph: (typeof GROUPS)[number]['glyph'];
  selected: boolean;
  /** The selected tuple. */
  selectedFact: string;
  /** For relations with facts. */
  count: RelationCount | undefined;
}) {
  const row = useRef<HTMLAnchorElement>(null);
  const isNarrow = useIsNarrow();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of recent facts above moves the row.
  useEffect(() => {
    // In a narrow window, scrolling to the row would scroll the proof away.
    if (selected && !isNarrow) row.current?.scrollIntoView({ block: 'nearest' });
  }, [selected, selectedFact, isNarrow]);
  return (
    <Link
      ref={row}
      className="row"
      to={explainLocation(info.path)}
      aria-current={selected}
      {...(count === undefined ? {} : { 'aria-description': countTip(count) })}
    >
      <Glyph kind={glyph} size={10} />
      <Cut {...(info.doc === undefined ? {} : { tip: info.doc })}>{name}</Cut>
      <span className="pane-spacer" />
      <span className="numeric dim" title={countTip(count)} aria-hidden>
        {countText(count)}
      </span>
    </Link>
  );
}
