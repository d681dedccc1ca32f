/** Exports a whole list with its sort order and filters. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { ExportFormat } from '../../../src-runtime/api/tables/export-text.js';
import { placeOptions } from '../../model/calls/place.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { api } from '../../server-state/api.js';
import { saveFile } from '../../state/save-file.js';
import { type ListState, listRequest } from './rows/list-state.js';

const PAGE_ROWS = 5_000;

/** All rows as records with references as ids, so that they can be imported again. `onProgress` is called for each page. */
export async function readWholeList(
  info: RelationInfo,
  state: ListState,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<readonly JsonValue[]> {
  const request = { ...listRequest(state), limit: PAGE_ROWS, ...placeOptions(signal) };
  const rows: Record<string, JsonValue>[] = [];
  for (let page: string | undefined, more = true; more; more = page !== undefined) {
    const answer: { records: Record<string, JsonValue>[]; nextCursor: string | undefined } = await readPage(
      info,
      page === undefined ? request : { ...request, page },
    );
    rows.push(...answer.records);
    onProgress(rows.length);
    page = answer.nextCursor;
  }
  return rows;
}

type ListRequest = Parameters<typeof api.relation>[1];

async function readPage(info: RelationInfo, request: ListRequest) {
  if (info.kind === 'concept' || info.kind === 'define') {
    const { result, nextCursor } = await api.individuals({ ...request, class: info.path });
    const records = result.map(({ $meta: _, ...fields }) => fields as Record<string, JsonValue>);
    return { records, nextCursor };
  }
  const { result, nextCursor } = await api.relation(info.path, request);
  const names = info.endpoints.map(({ name }) => name);
  const records = result.map(({ tuple }) => Object.fromEntries(names.map((name, at) => [name, tuple[at] ?? null])));
  return { records, nextCursor };
}

/** Downloads the text as a file. */
export function download(name: string, text: string, format: ExportFormat): void {
  const type = format === 'json' ? 'application/json' : 'text/csv';
  saveFile(name, text, type);
}
