/** Editing one field: the input, the original value, the current value, dry run and save. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { type AdhocCall, textOf } from '../../../model/calls/calls.js';
import { type FormValue, formValue, readForm } from '../../../model/calls/form-model.js';
import { currentFork, sentContext } from '../../../model/calls/place.js';
import { enclosingModuleFor, pathsOfRow } from '../../../model/facts/enclosing-module.js';
import { failureOf, isNotFound } from '../../../model/facts/failure.js';
import { typeText } from '../../../model/facts/type-text.js';
import { useIndividual } from '../../../server-state/facts.js';
import { type CallOutcome, callOutcomes, leaveCall, runCall, setOutcome } from '../../../server-state/run-call.js';
import { ownValue } from '../../../state/own-value.js';
import { useStore } from '../../../state/store.js';
import { setStatements, viaOf } from '../rows/set-statements.js';
import { type EditPlace, keepEdit, storedEdit } from './edit-draft.js';
import type { Field } from './settable.js';

interface EditedField {
  readonly place: EditPlace;
  readonly entity: Entity;
  readonly field: Field;
  /** The known value of the field. */
  readonly value: JsonValue;
  /** The initial input, unless a draft is stored. */
  readonly begun: JsonValue;
}

export function useFieldEdit(schema: ServedSchema, { place, entity, field, value, begun }: EditedField) {
  const client = useQueryClient();
  // One in the list and one in the individual view.
  const key = `edit field ${useId()}`;
  const outcome = useStore(callOutcomes)[key];
  const parameter = { name: field.name, type: field.type, required: true };
  const [kept] = useState(() => storedEdit(place, entity.$id, parameter));
  const [typed, setTyped] = useState(() => kept?.typed ?? formValue(field.type, begun));
  const [asked, setAsked] = useState(false);
  // A value that the user has seen and overwrites.
  const [known, setKnown] = useState(() => (kept === undefined ? value : kept.known));
  const keep = (draft: { readonly typed: FormValue; readonly known: JsonValue }): void => {
    setTyped(draft.typed);
    setKnown(draft.known);
    keepEdit(place, entity.$id, field.name, draft);
  };
  const now = useFieldNow(entity.$id, field);
  const { args, errors } = readForm([parameter], { [field.name]: typed });
  const next = ownValue(args, field.name) ?? null;
  const [sent, setSent] = useState<JsonValue>(null);
  const refusal = ownRefusal(outcome, field);
  // Ignores the change that is being saved here.
  const other = outcome?.state !== 'running' && typeof now === 'object' && !isSame(now.value, known) ? now : undefined;
  const run = (dryRun: boolean): void => {
    setAsked(true);
    if (Object.keys(errors).length > 0) return;
    setSent(next);
    const request = settingOf(schema, entity, field, { known: other?.value ?? known, next });
    const call = { request, context: sentContext(), fork: currentFork.get(), dryRun };
    void runCall(client, key, call, false, { isEdit: true });
  };
  useEffect(() => () => leaveCall(key), [key]);
  return {
    typed,
    setTyped: (next: FormValue): void => keep({ typed: next, known }),
    errors: !asked ? {} : refusal !== undefined && isSame(sent, next) ? { [field.name]: refusal } : errors,
    /** Undefined for an invalid value, which the field reports. */
    outcome: refusal === undefined ? outcome : undefined,
    isDeleted: now === 'gone',
    /** A value set by someone else, which the user has not decided about. */
    theirs: other === undefined || isSame(other.value, next) ? undefined : other,
    /** Not while a decision is pending. */
    run,
    /** Submits the input if it is valid. */
    stage: (onStage: (known: JsonValue, next: JsonValue) => void): void => {
      setAsked(true);
      if (Object.keys(errors).length === 0) onStage(other?.value ?? known, next);
    },
    /** Starting from the value that the user has seen. The result of an earlier save is cleared. */
    goOnFrom: (seen: JsonValue, next: FormValue = typed): void => {
      keep({ typed: next, known: seen });
      setOutcome(key, undefined);
    },
  };
}

function useFieldNow(id: string, { name }: Field): { readonly value: JsonValue } | 'gone' | 'not known' {
  const { data, error, isFetchedAfterMount } = useIndividual(id, true);
  if (isNotFound(error)) return 'gone';
  // A draft of an earlier edit is older than the new input.
  return data === undefined || !isFetchedAfterMount ? 'not known' : { value: (data[name] ?? null) as JsonValue };
}

/** Why the value is invalid, if that is the whole error. */
function ownRefusal(outcome: CallOutcome | undefined, { path }: Field): string | undefined {
  if (outcome?.state !== 'failed') return undefined;
  const failure = failureOf(outcome.error);
  if (failure?.details['field'] !== path || failure.details['refinement'] === undefined) return undefined;
  return failure.message;
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Sets the field if it is unchanged, because the page may have outdated data. */
function settingOf(
  schema: ServedSchema,
  { $id: one, $meta }: Entity,
  field: Field,
  { known, next }: { readonly known: JsonValue; readonly next: JsonValue },
): AdhocCall {
  const { name, type } = field;
  const via = viaOf(schema, field);
  const paths = [...pathsOfRow($meta.type, [{ type }]), ...(via === undefined ? [] : [via.relation])];
  const { module, named } = enclosingModuleFor(schema, paths);
  const plain = typeText(type.kind === 'optional' ? type.of : type, named);
  const parameters = [`one: ${named($meta.type)}`];
  // There is no fact for an empty value.
  const isGiven = via === undefined || next !== null;
  if (isGiven) parameters.push(`newValue: ${via === undefined ? typeText(type, named) : plain}`);
  const statements = [...setStatements('one', name, via, isGiven ? 'newValue' : undefined, named)];
  const refuseUnless = (condition: string) =>
    statements.unshift(`require ${condition} message "${name} has changed since"`);
  if (known !== null) {
    parameters.push(`knownValue: ${plain}`);
    refuseUnless(`one.${name} == knownValue`);
  } else if (type.kind === 'optional') refuseUnless(`one.${name} == none`);
  return {
    kind: 'adhoc',
    ...textOf({ source: `mutation setField(${parameters.join(', ')}) {\n  ${statements.join('\n  ')}\n}`, module }),
    args: { one, ...(isGiven && { newValue: next }), ...(known !== null && { knownValue: known }) },
  };
}
