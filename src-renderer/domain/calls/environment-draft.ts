/** Draft of an environment. It survives a reload until it is saved or discarded. */

import type { Environment } from '../../../src-runtime/api/schemas/environment-schemas.js';
import { VARIABLE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import type { Variables } from '../../model/calls/variables.js';
import { freeName } from '../../model/text/file-names.js';
import { createPersistentStore, createStore } from '../../state/store.js';

export interface VariableRow {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

export interface EnvironmentDraft {
  /** Name of the edited file, or the typed name of a new one. */
  readonly name: string;
  /** New name for the file. */
  readonly newName?: string;
  /** Revision of the edited file; null for a new one. */
  readonly revision: string | null;
  readonly rows: readonly VariableRow[];
}

const isDraft = (value: unknown): value is EnvironmentDraft | null => {
  if (value === null) return true;
  const draft = value as Partial<EnvironmentDraft>;
  return typeof draft === 'object' && typeof draft.name === 'string' && Array.isArray(draft.rows);
};

export const environmentDraft = createPersistentStore<EnvironmentDraft | null>(
  'entail.environment-draft',
  null,
  isDraft,
);

export interface OpenedSheet {
  /** The variable to define; undefined where the sheet was opened without one. */
  readonly wanted: string | undefined;
}

/** Undefined while closed. */
export const environmentSheet = createStore<OpenedSheet | undefined>(undefined);

export function openEnvironmentSheet(wanted?: string): void {
  environmentSheet.set({ wanted });
}

/** Has a row for each variable, and for the one to define. */
export function draftOf(environment: Environment | undefined, wanted: string | undefined): EnvironmentDraft {
  const rows = Object.entries(environment?.variables ?? {}).map(([name, value]) => rowOf(name, value));
  const draft = { name: environment?.name ?? '', revision: environment?.revision ?? null, rows };
  return withWanted(rows.length === 0 && wanted === undefined ? { ...draft, rows: [rowOf('', '')] } : draft, wanted);
}

/** The draft as a new file. */
export function copyOf({ name, newName, rows }: EnvironmentDraft, known: readonly Environment[]): EnvironmentDraft {
  const names = known.map((each) => each.name);
  return { name: freeName((newName ?? name).trim(), names), revision: null, rows };
}

export function withWanted(draft: EnvironmentDraft, wanted: string | undefined): EnvironmentDraft {
  if (wanted === undefined || draft.rows.some(({ name }) => name === wanted)) return draft;
  return { ...draft, rows: [...draft.rows, rowOf(wanted, '')] };
}

export function rowOf(name: string, value: string): VariableRow {
  return { id: crypto.randomUUID(), name, value };
}

/** The variables of the rows, and problems with names by row id. Skips empty rows. */
export function readRows(rows: readonly VariableRow[]): {
  readonly variables: Variables;
  readonly errors: Readonly<Record<string, string>>;
} {
  const variables = bareRecord<string>();
  const errors: Record<string, string> = {};
  for (const { id, name, value } of rows) {
    const trimmed = name.trim();
    if (trimmed === '' && value === '') continue;
    if (!VARIABLE_NAME.test(trimmed)) errors[id] = 'Use letters, digits, . _ and -, starting with a letter or _.';
    else if (Object.hasOwn(variables, trimmed)) errors[id] = `${trimmed} appears twice.`;
    else variables[trimmed] = value;
  }
  return { variables, errors };
}
