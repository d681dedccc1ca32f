/** The environment that is being edited: what was typed outlives a reload, until it is saved or given up. */

import type { Environment } from '../../../src-runtime/api/schemas/environment-schemas.js';
import { VARIABLE_NAME } from '../../../src-runtime/api/schemas/wire-constants.js';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import type { Variables } from '../../model/calls/variables.js';
import { freeName } from '../../model/text/file-names.js';
import { createKeptStore, createStore } from '../../state/store.js';

export interface VariableRow {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

export interface EnvironmentDraft {
  /** Of the file that it began with, or the one that is typed for a new one. */
  readonly name: string;
  /** What that file is to be called instead. */
  readonly newName?: string;
  /** Of the file that it began with; null for a new one. */
  readonly revision: string | null;
  readonly rows: readonly VariableRow[];
}

const isDraft = (value: unknown): value is EnvironmentDraft | null => {
  if (value === null) return true;
  const draft = value as Partial<EnvironmentDraft>;
  return typeof draft === 'object' && typeof draft.name === 'string' && Array.isArray(draft.rows);
};

export const environmentDraft = createKeptStore<EnvironmentDraft | null>('entail.environment-draft', null, isDraft);

export interface OpenedSheet {
  /** What is to be defined; undefined where the sheet was opened to look and edit. */
  readonly wanted: string | undefined;
}

/** Undefined while it is closed. */
export const environmentSheet = createStore<OpenedSheet | undefined>(undefined);

export function openEnvironmentSheet(wanted?: string): void {
  environmentSheet.set({ wanted });
}

/** With a row for each variable, and for what is to be defined. */
export function draftOf(environment: Environment | undefined, wanted: string | undefined): EnvironmentDraft {
  const rows = Object.entries(environment?.variables ?? {}).map(([name, value]) => rowOf(name, value));
  const draft = { name: environment?.name ?? '', revision: environment?.revision ?? null, rows };
  return withWanted(rows.length === 0 && wanted === undefined ? { ...draft, rows: [rowOf('', '')] } : draft, wanted);
}

/** What is typed, as a new one. */
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

/** The variables of the rows, or what is wrong with a name, by the id of its row. Empty rows are left out. */
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
