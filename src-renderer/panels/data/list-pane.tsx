/** The rows of a concept or relation with filters, and the sheets for changing them. */

import { Button } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { LoadingRows } from '../../domain/failure/states.js';
import { ClosedForkNotice } from '../../domain/fork/closed-fork-notice.js';
import { TrialNotice } from '../../domain/fork/trial-notice.js';
import { ExportMenu } from '../../domain/result/export-menu.js';
import { pastReason, placeOptions, usePlace } from '../../model/calls/place.js';
import { explainLocation, moduleLocation, shortName } from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { docText } from '../../model/sentences/written-sentence.js';
import { numberText } from '../../model/text/count-text.js';
import { useClosedFork } from '../../server-state/forks.js';
import type { RowSource } from '../../server-state/row-streams.js';
import { Glyph } from '../../ui/glyph.js';
import { Pane, Panes, PaneTitle } from '../../ui/panes/panes.js';
import { noAdditionReason } from './edit/addition.js';
import { AdditionPane } from './edit/addition-pane.js';
import { RemovalPane } from './edit/removal-pane.js';
import { StagedBar } from './edit/staged-bar.js';
import { StagedPane } from './edit/staged-pane.js';
import { deletionsOf } from './edit/staged-rows.js';
import { type Staged, useStaged } from './edit/use-staged.js';
import { FilterBar } from './grid/filter-bar.js';
import { Grid, type Reading } from './grid/grid.js';
import { importLocation } from './import/import-location.js';
import styles from './list-pane.module.css';
import { NoRows } from './no-rows.js';
import { gridColumns } from './rows/grid-columns.js';
import { type ListState, listRequest } from './rows/list-state.js';
import type { StagedChange } from './rows/staged.js';
import type { GridRow } from './rows/use-rows.js';

interface ListPaneProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly state: ListState;
}

/** One sheet at a time. */
type Sheet =
  | { readonly kind: 'removal'; readonly rows: readonly GridRow[] }
  | { readonly kind: 'staged' }
  | { readonly kind: 'addition'; readonly like: GridRow | undefined };

export function ListPane(props: ListPaneProps) {
  const { info, schema } = props;
  const [sheet, setSheet] = useState<Sheet>();
  const staged = useStaged();
  const close = (): void => setSheet(undefined);
  const content = ((): ReactNode => {
    if (sheet?.kind === 'removal') {
      const stage = (): void => {
        const deletions = deletionsOf(schema, info, sheet.rows);
        if (!('reason' in deletions) && staged.stage(deletions)) close();
      };
      return <RemovalPane {...{ info, schema }} rows={sheet.rows} onStage={stage} onClose={close} />;
    }
    if (sheet?.kind === 'addition') {
      const { like } = sheet;
      return <AdditionPane key={like?.why ?? 'new'} {...{ info, schema, like, staged }} onClose={close} />;
    }
    if (sheet === undefined || staged.changes.length === 0) return undefined;
    const onSaved = (saved: readonly StagedChange[]): void => {
      setSheet((shown) => (shown?.kind === 'staged' ? undefined : shown));
      staged.saved(saved);
    };
    return <StagedPane {...{ schema, onSaved }} {...staged} onClose={close} />;
  })();
  const isBeside = content !== undefined;
  return (
    <Panes
      id="list"
      panes={[
        { id: 'rows', minSize: 320, content: <List {...props} {...{ staged, isBeside }} onSheet={setSheet} /> },
        ...(isBeside ? [{ id: 'removal', name: 'sheet', size: 376, minSize: 260, fixed: true, content }] : []),
      ]}
    />
  );
}

interface ListProps extends ListPaneProps {
  readonly staged: Staged;
  readonly isBeside: boolean;
  readonly onSheet: (sheet: Sheet) => void;
}

function List({ info, schema, index, state, staged, isBeside, onSheet }: ListProps) {
  const columns = useMemo(() => gridColumns(schema, info), [schema, info]);
  const place = usePlace();
  const [reading, setReading] = useState<Reading>({ rows: undefined, isUnderWay: true });
  const { glyph, word } = KINDS[info.kind];
  const isClosed = useClosedFork() !== undefined;
  const canAdd = !isClosed && place.asOf === undefined && noAdditionReason(info) === undefined;
  const onAdd = canAdd ? () => onSheet({ kind: 'addition', like: undefined }) : undefined;
  const addLike = (like: GridRow): void => onSheet({ kind: 'addition', like });
  const isNarrowed = state.filters.length > 0 || state.find.trim() !== '';
  return (
    <Pane
      label="List"
      title={
        <>
          <PaneTitle>
            <span title={docText(info)}>{shortName(info.path)}</span>
          </PaneTitle>
          <span className={clsx(styles.listKind, 'dim')} title={word}>
            <Glyph kind={glyph} size={10} />
            <span className={styles.listKindWord}>{word}</span>
          </span>
          <span className={clsx('dim', 'numeric', styles.listCount)} role="status">
            {readingText(reading, isNarrowed)}
          </span>
        </>
      }
      actions={<ListActions {...{ info, state, onAdd, isClosed }} />}
    >
      <div className={styles.listBody}>
        <ClosedForkNotice onward="Show" />
        <TrialNotice />
        <FilterBar state={state} columns={columns} schema={schema} />
        <Grid
          key={JSON.stringify(place)}
          info={info}
          schema={schema}
          columns={columns}
          index={index}
          state={state}
          {...{ staged, isBeside }}
          onReading={setReading}
          onRemove={(rows) => onSheet({ kind: 'removal', rows })}
          onAddLike={canAdd ? addLike : undefined}
          onInserted={addLike}
        />
        {staged.changes.length > 0 && (
          <StagedBar
            changes={staged.changes}
            onReview={() => onSheet({ kind: 'staged' })}
            onLeave={() => staged.leave(staged.changes)}
          />
        )}
        {reading.rows === undefined && reading.isUnderWay && (
          // The header of the pane shows it already.
          <div aria-hidden>
            <LoadingRows rows={12} />
          </div>
        )}
        {reading.rows === 0 && !staged.insertions.some(({ path }) => path === info.path) && (
          <NoRows info={info} schema={schema} isNarrowed={isNarrowed} onAdd={onAdd} />
        )}
      </div>
    </Pane>
  );
}

const KINDS = {
  concept: { glyph: 'class', word: 'concept' },
  define: { glyph: 'derived', word: 'derived class' },
  stored: { glyph: 'stored', word: 'stored relation' },
  derived: { glyph: 'derived', word: 'derived relation' },
  field: { glyph: 'stored', word: 'field' },
  check: { glyph: 'warning', word: 'violations of a check' },
} as const;

/** A derived list is evaluated on first read, which may take a while. */
function readingText({ rows, isUnderWay }: Reading, isNarrowed: boolean): string {
  if (isUnderWay) return 'Loading…';
  if (rows === undefined) return '';
  return `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}${isNarrowed ? ' found' : ''}`;
}

interface ListActionsProps extends Pick<ListPaneProps, 'info' | 'state'> {
  /** Absent if rows cannot be added. */
  readonly onAdd: (() => void) | undefined;
  /** For a closed fork, which is read-only. */
  readonly isClosed: boolean;
}

/** As a link it could not be disabled. */
function DisabledAction({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <Button className={styles.listButton} title={pastReason() ?? ''} variant="subtle" leftSection={icon} disabled>
      {children}
    </Button>
  );
}

function ListActions({ info, state, onAdd, isClosed }: ListActionsProps) {
  const isPast = usePlace().asOf !== undefined;
  return (
    <>
      {info.span !== undefined && (
        <Link className={clsx('link', styles.listAction)} to={moduleLocation(info.span)}>
          Source
        </Link>
      )}
      <Link
        className={clsx('link', styles.listAction)}
        to={explainLocation(info.path)}
        aria-label={`Proofs of ${shortName(info.path)}`}
      >
        Proofs
      </Link>
      {onAdd !== undefined && (
        <Button
          className={styles.listButton}
          title="Add a row"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={onAdd}
        >
          Add…
        </Button>
      )}
      {isPast && TAKES_ROWS.has(info.kind) && info.kind !== 'field' && (
        <DisabledAction icon={<IconPlus size={14} />}>Add…</DisabledAction>
      )}
      <ExportMenu source={sourceOf(info, state)} name={shortName(info.path)} lead="As" className={styles.listButton} />
      {isPast && TAKES_ROWS.has(info.kind) && <DisabledAction icon={<IconUpload size={14} />}>Import</DisabledAction>}
      {!isClosed && !isPast && TAKES_ROWS.has(info.kind) && (
        <Button
          className={styles.listButton}
          title="Add rows from a file"
          component={Link}
          to={importLocation(info.path)}
          variant="subtle"
          leftSection={<IconUpload size={14} />}
        >
          Import
        </Button>
      )}
    </>
  );
}

/** Conclusions are not imported. */
const TAKES_ROWS: ReadonlySet<RelationInfo['kind']> = new Set(['concept', 'stored', 'field']);

/** The rows with the order and the filters of the list. */
function sourceOf(info: RelationInfo, state: ListState): RowSource {
  const isClass = info.kind === 'concept' || info.kind === 'define';
  return (client, signal) => {
    const request = { ...listRequest(state), ...placeOptions(signal) };
    return isClass ? client.individuals({ ...request, class: info.path }) : client.relation(info.path, request);
  };
}
