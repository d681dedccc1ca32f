/** The Data panel: the catalog, the rows of a concept or relation, and the details of an individual or a fact. */

import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity } from '../../../src-runtime/api/schemas/schemas.js';
import { useUndoKeys } from '../../domain/calls/use-undo.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded, SourceLink } from '../../domain/failure/states.js';
import { placeContext, usePlace } from '../../model/calls/place.js';
import { canonicalIds } from '../../model/facts/canonical-ids.js';
import { failureOf, isLost, isNoModule } from '../../model/facts/failure.js';
import { entityLabel } from '../../model/facts/labels.js';
import { dataLocation, shortName } from '../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../model/facts/relation-index.js';
import { firstList, useCounts } from '../../server-state/counts.js';
import { useIndividual } from '../../server-state/facts.js';
import { useSchema } from '../../server-state/module.js';
import { useOpenFirst } from '../../state/heading.js';
import { useOpenName } from '../../state/page-title.js';
import { useStore } from '../../state/store.js';
import { Panes } from '../../ui/panes/panes.js';
import { RenamedSince } from '../../ui/renamed-since.js';
import { Catalog } from './catalog.js';
import { takeBackStaged } from './edit/staged-steps.js';
import { EntityView } from './entity-view.js';
import { FactView } from './fact-view.js';
import { ImportView } from './import/import-view.js';
import { ListPane } from './list-pane.js';
import { notifyRefusal } from './rows/grid-refusal.js';
import { type ListState, listLocation, readListState } from './rows/list-state.js';

export function DataPanel() {
  const schema = useSchema();
  const [search] = useSearchParams();
  const state = useMemo(() => {
    const said = readListState(search);
    if (said.individual === undefined || schema.data === undefined) return said;
    return { ...said, individual: canonicalIds(schema.data)(said.individual) };
  }, [search, schema.data]);
  const isImport = search.has('import');
  const index = useMemo(() => relationIndex(schema.data), [schema.data]);
  const info = state.path === undefined ? undefined : index.get(state.path);
  const counts = useCounts();
  const individual = useIndividual(state.individual ?? '', state.individual !== undefined).data;
  useOpenName(isImport ? 'Import' : openNameOf(state, individual));
  const isNothingChosen = state.path === undefined && !isImport;
  // Counts are available shortly; if they are not, the first is opened.
  const first = isNothingChosen && !counts.isPending ? firstList(index, counts.data) : undefined;
  useOpenFirst(first === undefined ? undefined : listLocation({ ...state, path: first }));
  useCloseForOtherTenant(state);
  const place = JSON.stringify(usePlace());
  useUndoKeys((again) => takeBackStaged(place, again), tellNothingToUndo);
  const details = schema.data && detailsOf(schema.data, index, state);

  if (isNoModule(schema.error)) {
    return <NoModuleLoaded title="No facts yet" appears="concepts and relations" />;
  }
  // The notice of the past says why.
  if (failureOf(counts.error)?.details['asOf'] !== undefined) {
    return (
      <Empty title="No facts at this moment">
        <p>Choose another moment in the timeline, or go back to now.</p>
      </Empty>
    );
  }
  if (isLost(schema)) return <LoadFailure error={schema.error} onRetry={() => void schema.refetch()} />;
  return (
    <Panes
      id="data"
      panes={[
        {
          ...{ id: 'catalog', name: 'facts', size: 248, minSize: 180, fixed: true },
          content: <Catalog index={index} pending={schema.isPending} selected={isImport ? undefined : state.path} />,
        },
        {
          id: 'list',
          minSize: 360,
          content:
            schema.data === undefined || (isNothingChosen && counts.isPending) ? (
              <LoadingRows rows={10} />
            ) : isImport ? (
              <ImportView schema={schema.data} through={search.get('import') ?? ''} into={search.get('into') ?? ''} />
            ) : info === undefined ? (
              <NothingSelected wanted={state.path} />
            ) : (
              <ListPane key={info.path} info={info} schema={schema.data} index={index} state={state} />
            ),
        },
        ...(details === undefined || isImport ? [] : [{ ...DETAILS_PANE, content: details }]),
      ]}
    />
  );
}

function tellNothingToUndo(again: boolean): void {
  notifyRefusal(again ? 'Nothing to redo.' : 'Nothing to undo. To revert a saved transaction, open Forks, History.');
}

const DETAILS_PANE = { id: 'individual', size: 376, minSize: 260, fixed: true, wanted: true } as const;

/** The individual or the fact that is open beside the list. */
function detailsOf(schema: ServedSchema, index: ReadonlyMap<string, RelationInfo>, state: ListState): ReactNode {
  if (state.individual !== undefined) {
    return <EntityView key={state.individual} id={state.individual} {...{ schema, index, state }} />;
  }
  const info = index.get(state.path ?? '');
  if (state.fact === undefined || info === undefined) return undefined;
  return <FactView key={JSON.stringify(state.fact)} {...{ info, state }} tuple={state.fact} />;
}

/** For another tenant an id created by a mutation means another individual, so the open one is closed. */
function useCloseForOtherTenant(state: ListState): void {
  const tenant = useStore(placeContext)['tenantId'];
  const before = useRef(tenant);
  const navigate = useNavigate();
  useEffect(() => {
    const isOther = before.current !== undefined && before.current !== tenant;
    before.current = tenant;
    if (isOther && (state.individual?.startsWith('#') || state.fact !== undefined)) {
      void navigate(listLocation({ ...state, individual: undefined, fact: undefined }), { replace: true });
    }
  }, [tenant, state, navigate]);
}

function openNameOf({ path, individual }: ListState, found: Entity | undefined): string | undefined {
  if (individual !== undefined) return found === undefined ? individual : entityLabel(found);
  return path === undefined ? undefined : shortName(path);
}

function NothingSelected({ wanted }: { wanted: string | undefined }) {
  if (wanted === undefined) {
    return (
      <Empty title="No concepts or relations yet">
        <p>
          <SourceLink>Declare one</SourceLink> and save. Its facts appear here.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title={`No ${shortName(wanted)} in this module`}>
      <RenamedSince path={wanted} locationOf={dataLocation} />
      <p>It may have been renamed or removed. Select a concept or relation on the left.</p>
    </Empty>
  );
}
