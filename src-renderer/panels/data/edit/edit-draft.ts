/** Unsaved input of the edited field; survives a reload, a restart and a change of panel. */

import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { keepByTenant } from '../../../model/calls/by-tenant.js';
import { type FormParameter, type FormValue, fittedForm } from '../../../model/calls/form-model.js';
import { currentFork } from '../../../model/calls/place.js';
import { createPersistentStore, isRecordOf } from '../../../state/store.js';

/** In a cell of the list, or in the view of an individual. */
export type EditPlace = 'list' | 'individual';

interface EditDraft {
  readonly fork: string;
  readonly id: string;
  readonly field: string;
  /** The known value of the field. */
  readonly known: JsonValue;
  readonly typed: FormValue;
}

/** One each: a cell and the individual view may be edited at the same time. */
type EditDrafts = Readonly<Partial<Record<EditPlace, EditDraft>>>;

const KEY = 'entail.edit';

const NONE: EditDrafts = {};

const isDraft = (value: unknown): value is EditDraft =>
  typeof value === 'object' &&
  value !== null &&
  'known' in value &&
  ['fork', 'id', 'field'].every((name) => typeof Reflect.get(value, name) === 'string');

const isDrafts = (value: unknown): value is EditDrafts => isRecordOf(value, isDraft);

const drafts = createPersistentStore<EditDrafts>(KEY, NONE, isDrafts);
keepByTenant(KEY, drafts, isDrafts, (kept) => (Object.keys(kept).length === 0 ? kept : NONE));

/** The edited field. */
export function editedIn(place: EditPlace): { readonly id: string; readonly field: string } | undefined {
  const kept = drafts.get()[place];
  return kept?.fork === currentFork.get() ? kept : undefined;
}

/** The input for a field of an individual, fitted to its type, with its known value at the time. */
export function storedEdit(
  place: EditPlace,
  id: string,
  parameter: FormParameter,
): { readonly typed: FormValue; readonly known: JsonValue } | undefined {
  const kept = drafts.get()[place];
  const edited = editedIn(place);
  if (kept === undefined || edited?.id !== id || edited.field !== parameter.name) return undefined;
  const typed = fittedForm([parameter], { [parameter.name]: kept.typed })[parameter.name] ?? null;
  return { typed, known: kept.known };
}

export function keepEdit(
  place: EditPlace,
  id: string,
  field: string,
  { typed, known }: { readonly typed: FormValue; readonly known: JsonValue },
): void {
  drafts.update((all) => ({ ...all, [place]: { fork: currentFork.get(), id, field, known, typed } }));
}

/** After it was saved, staged or cancelled, or another field is edited. */
export function forgetEdit(place: EditPlace): void {
  drafts.update(({ [place]: _, ...others }) => others);
}
