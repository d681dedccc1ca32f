/** The Data panel: the catalog, the rows of a concept or relation, and an individual with the facts that mention it. */

import { useEffect, useMemo, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Entity } from '../../../src-runtime/api/schemas/schemas.js';
import { useUndoKeys } from '../../domain/calls/use-undo.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded, SourceLink } from '../../domain/failure/states.js';
import { placeContext, usePlace } from '../../model/calls/place.js';
import { canonicalIds } from '../../model/facts/canonical-ids.js';
import { isLost, isNoModule } from '../../model/facts/failure.js';
import { entityLabel } from '../../model/facts/labels.js';
import { dataLocation, shortName } from '../../model/facts/locations.js';
import { relationIndex } from '../../model/facts/relation-index.js';
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

  if (isNoModule(schema.error)) {
    return <NoModuleLoaded title="No facts yet" appears="concepts and relations" />;
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
        ...(state.individual === undefined || schema.data === undefined || isImport
          ? []
          : [
              {
                id: 'individual',
                size: 376,
                minSize: 260,
                fixed: true,
                wanted: true,
                content: (
                  <EntityView
                    key={state.individual}
                    id={state.individual}
                    schema={schema.data}
                    index={index}
                    state={state}
                  />
                ),
              },
            ]),
      ]}
    />
  );
}

function tellNothingToUndo(again: boolean): void {
  notifyRefusal(again ? 'Nothing to redo.' : 'Nothing to undo. To revert a saved transaction, open Forks, History.');
}

/** For another tenant an id created by a mutation means another individual, so the open one is closed. */
function useCloseForOtherTenant(state: ListState): void {
  const tenant = useStore(placeContext)['tenantId'];
  const before = useRef(tenant);
  const navigate = useNavigate();
  useEffect(() => {
    const isOther = before.current !== undefined && before.current !== tenant;
    before.current = tenant;
    if (isOther && state.individual?.startsWith('#')) {
      void navigate(listLocation({ ...state, individual: undefined }), { replace: true });
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
