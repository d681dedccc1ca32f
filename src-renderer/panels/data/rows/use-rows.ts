/** The rows of a list, loaded by block as they become visible. Blocks that are scrolled past quickly are skipped. */

import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Entity, JsonValue, ListedFact } from '../../../../src-runtime/api/schemas/schemas.js';
import { placeOptions, usePlace } from '../../../model/calls/place.js';
import { entityLabel, inBrief, SHOWN_LETTERS_MAX } from '../../../model/facts/labels.js';
import { explainLocation } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { api } from '../../../server-state/api.js';
import { useCountedAnew } from '../../../server-state/counts.js';
import type { GridColumn } from './grid-columns.js';
import { blocksOf } from './grid-scroll.js';
import { type ListState, listRequest } from './list-state.js';
import { type Block, readBlocks } from './read-blocks.js';
import type { StagedInsert } from './staged.js';

const BLOCK_ROWS = 200;
/** Rows this close to the viewport are loaded too, for smooth scrolling. */
const AHEAD_ROWS = 100;
/** How long a block must be visible before it is loaded. */
const SETTLE_MS = 60;

export interface GridRow {
  readonly cells: readonly JsonValue[];
  readonly origin: 'declared' | 'stored' | 'derived';
  /** Of the fact, or of the individual's class membership. */
  readonly why: string;
  /** Labels of the individuals in its block. */
  readonly labels: Readonly<Record<string, string>>;
  /** The individual of the row, if it has one. */
  readonly individual?: string;
  /** The individual with all fields of its concept, even those without a column. */
  readonly entity?: Entity;
  /** Not stored yet: a staged insert. */
  readonly inserted?: StagedInsert;
}

export interface GridRows {
  readonly total: number | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  /** The shown rows have a previous sort order or filter. */
  readonly isStale: boolean;
  /** Changes whenever rows are loaded. */
  readonly readAt: number;
  row(index: number): GridRow | undefined;
  /** The rows from `first` to before `end`, in order. Missing ones are loaded. */
  stretch(first: number, end: number): Promise<readonly GridRow[]>;
  /** The loaded rows, in order. */
  readSoFar(): readonly GridRow[];
  retry(): void;
}

export function useRows(
  info: RelationInfo,
  columns: readonly GridColumn[],
  state: ListState,
  inSight: { readonly first: number; readonly end: number },
): GridRows {
  const place = usePlace();
  const request = useMemo(() => listRequest(state), [state]);
  const client = useQueryClient();
  const key = ['facts', 'list', info.path, request, place];
  const blockQuery = (block: number) => ({
    queryKey: [...key, block],
    queryFn: ({ signal }: { signal: AbortSignal }) => readBlock(info, columns, request, block, signal),
    meta: info.kind === 'stored' ? { storedRelation: info.path } : {},
  });
  const head = useQuery({ ...blockQuery(0), placeholderData: keepPreviousData });
  useCountedAnew(info, head.dataUpdatedAt);
  const near = blocksOf(Math.max(0, inSight.first - AHEAD_ROWS), inSight.end + AHEAD_ROWS, BLOCK_ROWS);
  const blocks = useSettled(near).filter((block) => block > 0);
  const total = head.data?.total;
  // The first request sorts the list on the server; later ones reuse it.
  const wanted = head.isPlaceholderData ? [] : blocks.filter((block) => block * BLOCK_ROWS < (total ?? 0));
  const others = useQueries({ queries: wanted.map(blockQuery) });
  const known = new Map<number, Block>(head.data === undefined ? [] : [[0, head.data]]);
  for (const [at, { data }] of others.entries()) if (data !== undefined) known.set(wanted[at] as number, data);
  const failed = others.find(({ isError }) => isError);
  return {
    total,
    error: head.error ?? failed?.error ?? undefined,
    isPending: head.isPending,
    isStale: head.isPlaceholderData,
    readAt: others.reduce((latest, { dataUpdatedAt }) => latest + dataUpdatedAt, head.dataUpdatedAt),
    row: (index) => known.get(Math.floor(index / BLOCK_ROWS))?.rows[index % BLOCK_ROWS],
    async stretch(first, end) {
      const asked = blocksOf(first, end, BLOCK_ROWS);
      const read = await Promise.all(asked.map((block) => client.ensureQueryData(blockQuery(block))));
      const from = (asked[0] ?? 0) * BLOCK_ROWS;
      return read.flatMap(({ rows }) => rows).slice(first - from, end - from);
    },
    readSoFar: () => readBlocks(client, key),
    retry() {
      void head.refetch();
      for (const other of others) if (other.isError) void other.refetch();
    },
  };
}

function useSettled(blocks: readonly number[]): readonly number[] {
  const key = blocks.join(' ');
  const [settled, setSettled] = useState(key);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return useMemo(() => (settled === '' ? [] : settled.split(' ').map(Number)), [settled]);
}

/** In one request, unless the server returns fewer rows. */
async function readBlock(
  info: RelationInfo,
  columns: readonly GridColumn[],
  request: ReturnType<typeof listRequest>,
  block: number,
  signal: AbortSignal,
): Promise<Block> {
  const rows: GridRow[] = [];
  for (;;) {
    const stretch = { offset: block * BLOCK_ROWS + rows.length, limit: BLOCK_ROWS - rows.length };
    const part = await readPart(info, columns, { ...request, ...stretch, total: true, ...placeOptions(signal) });
    rows.push(...part.rows);
    const isEnd = part.rows.length === 0 || stretch.offset + part.rows.length >= part.total;
    if (isEnd || rows.length >= BLOCK_ROWS) return { rows, total: part.total };
  }
}

async function readPart(
  info: RelationInfo,
  columns: readonly GridColumn[],
  page: Parameters<typeof api.relation>[1],
): Promise<Block> {
  if (info.kind === 'concept' || info.kind === 'define') {
    const {
      result,
      labels = {},
      total = 0,
    } = await api.individuals({ ...page, class: info.path, include: ['labels'] });
    const shown = shownLabels(labels);
    return { rows: result.map((entity) => entityRow(info, columns, entity, shown)), total };
  }
  const { result, labels = {}, total = 0 } = await api.relation(info.path, { ...page, include: ['labels', 'origin'] });
  const shown = shownLabels(labels);
  return { rows: result.map((fact) => factRow(fact, shown)), total };
}

type Labels = GridRow['labels'];

/** The server sends labels whole; each row would draw one of megabytes as text and as tooltip. */
function shownLabels(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).map(([id, label]) => [id, inBrief(label, SHOWN_LETTERS_MAX)]));
}

function factRow({ relation, tuple, origin = 'stored' }: ListedFact, labels: Labels): GridRow {
  return { cells: tuple, origin, labels, why: explainLocation(relation, tuple) };
}

function entityRow(info: RelationInfo, columns: readonly GridColumn[], entity: Entity, labels: Labels): GridRow {
  const fields = entity as Readonly<Record<string, JsonValue>>;
  const isDeclared = entity.$id.startsWith('@');
  return {
    cells: columns.map(({ source }) => {
      if (source.kind === 'id') return entity.$id;
      if ('field' in source && source.field !== undefined) return fields[source.field] ?? null;
      return source.kind === 'individual' ? entityLabel(entity) : null;
    }),
    origin: info.kind === 'define' ? 'derived' : isDeclared ? 'declared' : 'stored',
    labels,
    why: explainLocation(info.path, [entity.$id]),
    individual: entity.$id,
    entity,
  };
}
