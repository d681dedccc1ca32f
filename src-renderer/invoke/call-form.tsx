/** The form of a callable: its arguments, and the buttons that run it. */

import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { ArgumentForm } from '../components/argument-form.js';
import { readArguments } from '../data/argument-draft.js';
import { type Refusal, stillRefused } from '../data/refusal.js';
import { useShortcuts } from '../data/shortcuts.js';
import { useStore } from '../data/store.js';
import { callDrafts } from './call-store.js';
import { callTabs, touched } from './call-tabs.js';
import type { Callable } from './callables.js';

interface CallFormProps {
  /** The id of the tab. */
  readonly tab: string;
  readonly callable: Callable;
  readonly schema: ServedSchema;
  readonly running: boolean;
  /** What is wrong with the arguments that were sent last, by the path of the input. */
  readonly refused: Refusal | undefined;
  readonly onRun: (args: Record<string, JsonValue>, dryRun: boolean) => void;
  readonly onCancel: () => void;
}

export function CallForm({ tab, callable, schema, running, refused, onRun, onCancel }: CallFormProps) {
  const drafts = useStore(callDrafts);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const { parameters } = callable;
  const draft = drafts[tab];

  const submit = (dryRun: boolean): void => {
    const reading = readArguments(parameters, draft);
    setErrors(reading.errors);
    if (Object.keys(reading.errors).length === 0) onRun(reading.args, dryRun);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit(false);
  };
  useShortcuts({ run: () => submit(false) });

  return (
    <form className="call-form" onSubmit={onSubmit} noValidate>
      <ArgumentForm
        parameters={parameters}
        schema={schema}
        draft={draft}
        errors={{ ...stillRefused(refused, () => readArguments(parameters, draft).args), ...errors }}
        onChange={(next) => {
          if (next.mode !== (draft?.mode ?? 'form')) setErrors({});
          callDrafts.update((current) => ({ ...current, [tab]: next }));
          callTabs.update((tabs) => touched(tabs, tab));
        }}
      />
      <div className="call-form-actions">
        <Button type="submit" loading={running}>
          Run
        </Button>
        {callable.kind === 'mutation' && (
          <Button variant="default" disabled={running} onClick={() => submit(true)}>
            Dry run
          </Button>
        )}
        {running && (
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
