/** The sheet in which a row is added: a field for each column, and what would follow, tried without keeping anything. */

import { ActionIcon, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { CallOutcomeView } from '../components/call-outcome.js';
import { FieldInput } from '../components/field-input.js';
import { Pane } from '../components/panes.js';
import { readForm } from '../data/form-model.js';
import { shortName } from '../data/locations.js';
import { currentFork, sentContext } from '../data/place.js';
import type { RelationInfo } from '../data/relation-index.js';
import { callOutcomes, cancelCall, runCall, setOutcome } from '../data/run-call.js';
import { useStore } from '../data/store.js';
import { typeText } from '../data/type-text.js';
import { additionOf, formOfRow, parametersOfRow } from './addition.js';
import type { GridRow } from './use-rows.js';

const ADDITION_KEY = 'add a row';

interface AdditionPaneProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  /** The row that it is to be like. */
  readonly like: GridRow | undefined;
  readonly onClose: () => void;
}

export function AdditionPane({ info, schema, like, onClose }: AdditionPaneProps) {
  const client = useQueryClient();
  const outcome = useStore(callOutcomes)[ADDITION_KEY];
  const parameters = parametersOfRow(schema, info);
  const [form, setForm] = useState(() => formOfRow(parameters, info, like));
  const [asked, setAsked] = useState(false);
  const { args, errors } = readForm(parameters, form);
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('input, textarea, button')?.focus(), []);
  useEffect(
    () => () => {
      cancelCall(ADDITION_KEY);
      setOutcome(ADDITION_KEY, undefined);
    },
    [],
  );
  const run = (dryRun: boolean): void => {
    setAsked(true);
    if (Object.keys(errors).length > 0) return;
    const call = {
      request: additionOf(info, parameters, args),
      context: sentContext(),
      fork: currentFork.get(),
      dryRun,
    };
    void runCall(client, ADDITION_KEY, call, false);
  };
  const isSaved = outcome?.state === 'answered' && !outcome.call.dryRun;
  const name = shortName(info.path);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, as it is saved.
  useEffect(() => {
    if (!isSaved) return;
    notifications.show({ message: `A row was added to ${name}.` });
    onClose();
  }, [isSaved]);
  return (
    <Pane
      title={`Add to ${name}`}
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <form
        ref={fields}
        className="addition"
        aria-label={`Add to ${name}`}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          run(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) onClose();
        }}
      >
        {parameters.map(({ name: field, type, required, doc }) => (
          <div key={field} className="field">
            <div className="field-name">
              <span className="mono">{field}</span>
              <span className="dim field-remarks">
                {typeText(type)}
                {required ? ', required' : ''}
              </span>
            </div>
            <FieldInput
              type={type}
              value={form[field] ?? null}
              onChange={(value) => setForm((before) => ({ ...before, [field]: value }))}
              schema={schema}
              label={field}
              path={field}
              errors={asked ? errors : {}}
            />
            {doc !== undefined && <p className="dim field-doc">{doc}</p>}
          </div>
        ))}
        <div className="entity-edit-actions">
          <Button type="submit" loading={outcome?.state === 'running'}>
            Add
          </Button>
          <Button variant="default" onClick={() => run(true)}>
            Dry run
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
      {outcome !== undefined && (
        <CallOutcomeView
          outcome={outcome}
          schema={schema}
          silent
          name="row"
          onLoadMore={() => undefined}
          empty={null}
        />
      )}
    </Pane>
  );
}
