/** The form of a callable: its arguments, and the buttons that run it. */

import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { ArgumentForm } from '../../domain/calls/argument-form.js';
import { RunButtons } from '../../domain/calls/run-buttons.js';
import { type ArgumentDraft, type ArgumentReading, readArguments } from '../../model/calls/argument-draft.js';
import type { SentCall } from '../../model/calls/calls.js';
import { contextErrors, requestContext } from '../../model/calls/place.js';
import { NO_ERRORS, remainingErrors, validationErrors } from '../../model/calls/validation-errors.js';
import { sendingScope, type VariableScope } from '../../model/calls/variable-arguments.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import type { CallOutcome } from '../../server-state/run-call.js';
import { useShortcuts } from '../../state/shortcuts.js';
import { useStore } from '../../state/store.js';
import { callDrafts } from './call-store.js';
import { callTabs, withTouched } from './call-tabs.js';
import type { Callable } from './callables.js';
import styles from './invoke.module.css';
import { refusalOf, stillRefused } from './refusal.js';

interface CallFormProps {
  /** The id of the tab. */
  readonly tab: string;
  readonly callable: Callable;
  readonly schema: ServedSchema;
  /** The result of the last call. */
  readonly outcome: CallOutcome | undefined;
  /** The typed call. Undefined while it has errors. */
  readonly call: SentCall | undefined;
  readonly onRun: (reading: ArgumentReading, dryRun: boolean) => void;
  readonly onCancel: () => void;
}

/** Errors of the last attempt to send, and the draft they belong to. */
interface SendErrors {
  readonly errors: ArgumentReading['errors'];
  readonly draft?: ArgumentDraft | undefined;
  readonly scope?: VariableScope;
}

export function CallForm({ tab, callable, schema, outcome, call, onRun, onCancel }: CallFormProps) {
  const drafts = useStore(callDrafts);
  const [sendErrors, setSendErrors] = useState<SendErrors>({ errors: NO_ERRORS });
  const scope = useVariableScope();
  const form = useRef<HTMLFormElement>(null);
  const { parameters } = callable;
  const draft = drafts[tab];
  const reading = readArguments(parameters, draft, scope);
  const errors = remainingErrors(
    sendErrors.errors,
    sendErrors.draft === draft && sendErrors.scope === scope,
    reading.errors,
  );

  const submit = (dryRun: boolean): void => {
    const sent = readArguments(parameters, draft, sendingScope(scope));
    flushSync(() => setSendErrors({ errors: validationErrors(sent.errors, reading.errors), draft, scope }));
    if (Object.keys({ ...sent.errors, ...contextErrors(requestContext.get(), scope) }).length === 0) {
      onRun(sent, dryRun);
    } else form.current?.parentElement?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const isWriting = callable.kind === 'mutation';
  useShortcuts({ run: () => submit(false), ...(isWriting && { dryRun: () => submit(true) }) });

  return (
    <form
      ref={form}
      className={styles.callForm}
      noValidate
      // The button sends the latest draft.
      onSubmit={(event) => event.preventDefault()}
      // A held key sends once.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.repeat && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <ArgumentForm
        parameters={parameters}
        schema={schema}
        draft={draft}
        errors={{ ...stillRefused(refusalOf(outcome), reading), ...errors }}
        onChange={(next) => {
          if (next.mode !== (draft?.mode ?? 'form')) setSendErrors({ errors: NO_ERRORS });
          callDrafts.update((current) => ({ ...current, [tab]: next }));
          callTabs.update((tabs) => withTouched(tabs, tab));
        }}
      />
      <div className={styles.callFormActions}>
        <RunButtons isWriting={isWriting} outcome={outcome} call={call} isOfForm onRun={submit} onCancel={onCancel} />
      </div>
    </form>
  );
}
