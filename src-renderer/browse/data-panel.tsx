/** The Data panel: what facts there are, the rows of one concept or relation, and one individual with all that mentions it. */

import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { Glyph } from '../components/glyph.js';
import { Pane, Panes } from '../components/panes.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded } from '../components/states.js';
import { hasCode } from '../data/failure.js';
import { dataLocation, explainLocation, moduleLocation, shortName } from '../data/locations.js';
import { useOpenFirst } from '../data/open-first.js';
import { usePlace } from '../data/place.js';
import { useSchema } from '../data/queries.js';
import { type RelationInfo, relationIndex } from '../data/relation-index.js';
import { Catalog } from './catalog.js';
import { numberText } from './count-text.js';
import { EntityView } from './entity-view.js';
import { ExportMenu } from './export-menu.js';
import { FilterBar } from './filter-bar.js';
import { Grid, type Reading } from './grid.js';
import { gridColumns } from './grid-columns.js';
import { ImportView } from './import-view.js';
import { type ListState, listLocation, readListState } from './list-state.js';
import './browse.css';

const NO_RELATIONS: ReadonlyMap<string, RelationInfo> = new Map();

export function DataPanel() {
  const schema = useSchema();
  const [search] = useSearchParams();
  const state = useMemo(() => readListState(search), [search]);
  const isImport = search.has('import');
  const index = useMemo(() => (schema.data === undefined ? NO_RELATIONS : relationIndex(schema.data)), [schema.data]);
  const info = state.path === undefined ? undefined : index.get(state.path);
  const first = schema.data?.concepts[0]?.path ?? [...index.keys()][0];
  const isNothingChosen = state.path === undefined && !isImport;
  useOpenFirst(isNothingChosen && first !== undefined ? listLocation({ ...state, path: first }) : undefined);

  if (hasCode(schema.error, 'SVC_RUNTIME_MODULE_NOT_LOADED')) {
    return <NoModuleLoaded title="No facts yet" appears="concepts and relations" />;
  }
  if (schema.isError) return <LoadFailure error={schema.error} onRetry={() => void schema.refetch()} />;
  return (
    <Panes
      id="data"
      panes={[
        {
          id: 'catalog',
          size: 248,
          minSize: 180,
          fixed: true,
          stackedHeight: 200,
          content: <Catalog index={index} pending={schema.isPending} chosen={isImport ? undefined : state.path} />,
        },
        {
          id: 'list',
          minSize: 360,
          content:
            schema.data === undefined ? (
              <LoadingRows rows={10} />
            ) : isImport ? (
              <ImportView schema={schema.data} wanted={search.get('import') ?? ''} />
            ) : info === undefined ? (
              <NothingChosen wanted={state.path} />
            ) : (
              <List key={info.path} info={info} schema={schema.data} index={index} state={state} />
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

const KINDS = {
  concept: { glyph: 'class', word: 'concept' },
  define: { glyph: 'derived', word: 'derived class' },
  stored: { glyph: 'stored', word: 'stored relation' },
  derived: { glyph: 'derived', word: 'derived relation' },
  field: { glyph: 'stored', word: 'field' },
  check: { glyph: 'warning', word: 'firings of a check' },
} as const;

interface ListProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly state: ListState;
}

function List({ info, schema, index, state }: ListProps) {
  const columns = useMemo(() => gridColumns(schema, info), [schema, info]);
  const place = usePlace();
  const [reading, setReading] = useState<Reading>({ rows: undefined, isUnderWay: true });
  const { glyph, word } = KINDS[info.kind];
  const isNarrowed = state.filters.length > 0 || state.find.trim() !== '';
  return (
    <Pane
      label="List"
      title={
        <h2 className="pane-title cut list-title">
          <span title={info.doc}>{shortName(info.path)}</span>
          <span className="list-kind dim">
            <Glyph kind={glyph} size={10} /> {word}
          </span>
          <span className="dim numeric list-count" role="status">
            {readingText(reading, isNarrowed)}
          </span>
        </h2>
      }
      actions={<ListActions info={info} state={state} />}
    >
      <div className="list-body">
        <FilterBar state={state} columns={columns} />
        <Grid
          key={JSON.stringify(place)}
          info={info}
          columns={columns}
          index={index}
          state={state}
          onReading={setReading}
        />
        {reading.rows === undefined && reading.isUnderWay && (
          // The head of the pane says so already.
          <div aria-hidden>
            <LoadingRows rows={12} />
          </div>
        )}
        {reading.rows === 0 && <NoRows info={info} isNarrowed={isNarrowed} />}
      </div>
    </Pane>
  );
}

/** A derived list is evaluated when it is first read, which may take a while. */
function readingText({ rows, isUnderWay }: Reading, isNarrowed: boolean): string {
  if (isUnderWay) return 'Reading…';
  if (rows === undefined) return '';
  return `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}${isNarrowed ? ' found' : ''}`;
}

function ListActions({ info, state }: { info: RelationInfo; state: ListState }) {
  return (
    <>
      {info.span !== undefined && (
        <Link className="link list-action" to={moduleLocation(info.span)}>
          Source
        </Link>
      )}
      <Link
        className="link list-action"
        to={explainLocation(info.path)}
        aria-label={`Proofs of ${shortName(info.path)}`}
      >
        Proofs
      </Link>
      <ExportMenu info={info} state={state} />
      <Button component={Link} to="/data?import=" variant="subtle" leftSection={<IconUpload size={14} />}>
        Import
      </Button>
    </>
  );
}

function NoRows({ info, isNarrowed }: { info: RelationInfo; isNarrowed: boolean }) {
  if (isNarrowed) {
    return (
      <Empty title="Nothing fits">
        <p>
          No row of {shortName(info.path)} fits the filter.{' '}
          <Link className="link" to={dataLocation(info.path)}>
            Show all rows
          </Link>
        </p>
      </Empty>
    );
  }
  const isDerived = info.kind === 'derived' || info.kind === 'define' || info.kind === 'check';
  return (
    <Empty title={isDerived ? 'Nothing follows here yet' : 'Nothing is stored here yet'}>
      {isDerived ? (
        <p>
          <Link className="link" to={explainLocation(info.path)}>
            Ask about a tuple
          </Link>{' '}
          to see why it does not hold.
        </p>
      ) : (
        <p>
          <Link className="link" to="/invoke">
            Call a mutation
          </Link>
          , or{' '}
          <Link className="link" to="/data?import=">
            import
          </Link>{' '}
          rows from a CSV or JSON file.
        </p>
      )}
    </Empty>
  );
}

function NothingChosen({ wanted }: { wanted: string | undefined }) {
  if (wanted === undefined) return <Empty title="The module declares nothing that has facts" />;
  return (
    <Empty title={`The module has no ${shortName(wanted)}`}>
      <p>It may have been renamed since the link was made. What the loaded module has is on the left.</p>
    </Empty>
  );
}
