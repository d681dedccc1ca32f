/** The state of an import in preparation: survives a change of panel and a reload. */

import type { Keys, Mapping } from '../../../../src-runtime/api/tables/import-rows.js';
import type { Notation } from '../../../../src-runtime/api/tables/notation.js';
import type { TableOptions } from '../../../../src-runtime/api/tables/open-table.js';
import { createPersistentStore } from '../../../state/store.js';

/** Parse options; absent ones are detected. */
export type ImportOptions = TableOptions & Partial<Notation>;

export interface ImportDraft {
  readonly text: string;
  /** File name; empty for pasted text. */
  readonly fileName: string;
  /** Detected from the file. */
  readonly encoding?: string;
  readonly options?: ImportOptions;
  /** By the path of the mutation or list, as the next members. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly keys?: Readonly<Record<string, Keys>>;
  /** Rows that are already saved, by path and scope; reset with the text. */
  readonly kept?: Readonly<Record<string, readonly number[]>>;
}

export const EMPTY_DRAFT: ImportDraft = { text: '', fileName: '', mappings: {} };

export const importDraft = createPersistentStore('entail.import', EMPTY_DRAFT, (value): value is ImportDraft => {
  if (typeof value !== 'object' || value === null) return false;
  const { text, fileName, mappings } = value as Readonly<Record<string, unknown>>;
  return typeof text === 'string' && typeof fileName === 'string' && typeof mappings === 'object' && mappings !== null;
});
