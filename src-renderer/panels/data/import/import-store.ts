/** An import that is being prepared: what was pasted or chosen outlives a look at another panel, and a reload. */

import type { CsvOptions } from '../../../../src-runtime/api/tables/import-file.js';
import type { Keys, Mapping } from '../../../../src-runtime/api/tables/import-rows.js';
import type { Notation } from '../../../../src-runtime/api/tables/notation.js';
import { createKeptStore } from '../../../state/store.js';

/** How the text is read; what is absent is found out. */
export type ImportOptions = CsvOptions & Partial<Notation>;

export interface ImportDraft {
  readonly text: string;
  /** Of the file that the text came from; empty where it was pasted. */
  readonly fileName: string;
  /** Of the file, as it was found out. */
  readonly encoding?: string;
  readonly options?: ImportOptions;
  /** By mutation. */
  readonly mappings: Readonly<Record<string, Mapping>>;
  /** By mutation. */
  readonly keys?: Readonly<Record<string, Keys>>;
  /** Rows that are in already, by mutation and place; another text has other rows. */
  readonly kept?: Readonly<Record<string, readonly number[]>>;
}

export const EMPTY_DRAFT: ImportDraft = { text: '', fileName: '', mappings: {} };

export const importDraft = createKeptStore('entail.import', EMPTY_DRAFT, (value): value is ImportDraft => {
  if (typeof value !== 'object' || value === null) return false;
  const { text, fileName, mappings } = value as Readonly<Record<string, unknown>>;
  return typeof text === 'string' && typeof fileName === 'string' && typeof mappings === 'object' && mappings !== null;
});
