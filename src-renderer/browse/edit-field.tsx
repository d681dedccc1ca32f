/** Another value for one field of a stored individual: tried or saved as a mutation of its own, where it stands. */

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { Entity, JsonValue } from '../../src-runtime/api/schemas.js';
import { CallOutcomeView } from '../components/call-outcome.js';
import { FieldInput } from '../components/field-input.js';
import { formValue, readForm } from '../data/form-model.js';
import { shortName } from '../data/locations.js';
import { currentFork, sentContext } from '../data/place.js';
import { callOutcomes, cancelCall, runCall, setOutcome } from '../data/run-call.js';
import { useStore } from '../data/store.js';
import { typeText } from '../data/type-text.js';
import type { Field } from './settable.js';

interface EditFieldProps {
  readonly entity: Entity;
  readonly field: Field;
  readonly value: JsonValue;
  readonly schema: ServedSchema;
  readonly onDone: () => void;
}

export function EditField({ entity, field, value, schema, onDone }: EditFieldProps) {
  const client = useQueryClient();
  // One may be open beside the list and one in it.
  const key = `edit field ${useId()}`;
  const outcome = useStore(callOutcomes)[key];
  const [typed, setTyped] = useState(() => formValue(field.type, value));
  const [asked, setAsked] = useState(false);
  const parameter = { name: field.name, type: field.type, required: true };
  const { args, errors } = readForm([parameter], { [field.name]: typed });
  const run = (dryRun: boolean): void => {
    setAsked(true);
    if (Object.keys(errors).length > 0) return;
    const request = {
      kind: 'adhoc',
      source: `mutation setField(one: ${shortName(entity.$meta.type)}, next: ${typeText(field.type)}) {\n  set one.${field.name} = next\n}`,
      args: { one: entity.$id, next: args[field.name] ?? null },
    } as const;
    void runCall(client, key, { request, context: sentContext(), fork: currentFork.get(), dryRun }, false);
  };
  useEffect(
    () => () => {
      cancelCall(key);
      setOutcome(key, undefined);
    },
    [key],
  );
  const form = useRef<HTMLFormElement>(null);
  // The button that opened it, and had the focus, is gone.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), []);
  const isSaved = outcome?.state === 'answered' && !outcome.call.dryRun;
  useEffect(() => {
    if (isSaved) onDone();
  }, [isSaved, onDone]);
  return (
    <form
      ref={form}
      className="entity-edit"
      aria-label={`Edit ${field.name}`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        run(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onDone();
        if (endsText(event)) {
          event.preventDefault();
          run(false);
        }
      }}
    >
      <FieldInput
        type={field.type}
        value={typed}
        onChange={setTyped}
        schema={schema}
        label={field.name}
        path={field.name}
        errors={asked ? errors : {}}
      />
      <div className="entity-edit-actions">
        <Button type="submit" loading={outcome?.state === 'running'}>
          Save
        </Button>
        <Button variant="default" onClick={() => run(true)}>
          Dry run
        </Button>
        <Button variant="subtle" color="gray" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {outcome !== undefined && (
        <CallOutcomeView
          outcome={outcome}
          schema={schema}
          silent
          name={field.name}
          onLoadMore={() => undefined}
          empty={null}
        />
      )}
    </form>
  );
}

/** Enter, in what may have several lines: with Shift it begins another one, and while a letter is composed it ends that. */
function endsText({ key, shiftKey, target, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && target instanceof HTMLTextAreaElement;
}
