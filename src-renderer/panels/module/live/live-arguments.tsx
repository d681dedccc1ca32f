/** The arguments of the query or function at the cursor. The last ones are kept for each. */

import { useMemo } from 'react';
import type { LiveResult } from '../../../../src-runtime/api/schemas/live-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { ArgumentForm } from '../../../domain/calls/argument-form.js';
import { type ArgumentDraft, isArgumentDraft, readArguments } from '../../../model/calls/argument-draft.js';
import { useVariableScope } from '../../../model/calls/variable-scope.js';
import { createPersistentStore, createStore, isRecordOf, mergedMembers, useStore } from '../../../state/store.js';
import { compileState } from '../../../workspace/compiler.js';
import { namingOf } from '../editor/explain-target.js';
import styles from './live.module.css';

/** Drafts by the path of the callable. They survive a reload. */
const liveArguments = createPersistentStore<Record<string, ArgumentDraft>>(
  'entail.live-arguments',
  {},
  (value): value is Record<string, ArgumentDraft> => isRecordOf(value, isArgumentDraft),
  { merge: mergedMembers },
);

type Parameters = LiveResult['parameters'];

/** As the last results had them, by path. */
const knownParameters = createStore<Readonly<Record<string, Parameters>>>({});

export function noteParameters(result: LiveResult | undefined): void {
  const { declaration, parameters = [] } = result ?? {};
  if (!declaration || parameters.length === 0) return;
  const before = knownParameters.get()[declaration.path];
  if (JSON.stringify(before) === JSON.stringify(parameters)) return;
  knownParameters.update((known) => ({ ...known, [declaration.path]: parameters }));
}

/** Those of the declaration at the cursor that can be read. Empty until its parameters are known. */
export function useLiveArguments(file: string, text: string, cursor: number): Readonly<Record<string, JsonValue>> {
  const { views } = useStore(compileState);
  const drafts = useStore(liveArguments);
  const known = useStore(knownParameters);
  const scope = useVariableScope();
  const outline = views[file]?.outline;
  const around = outline?.find(({ span }) => span.start.offset <= cursor && cursor <= span.end.offset);
  const path = around === undefined ? undefined : `${namingOf(text).module}::${around.name}`;
  const parameters = path === undefined ? undefined : known[path];
  const draft = path === undefined ? undefined : drafts[path];
  return useMemo(
    () => (parameters === undefined ? {} : readArguments(parameters, draft, scope).args),
    [parameters, draft, scope],
  );
}

interface LiveArgumentsProps {
  readonly path: string;
  readonly parameters: Parameters;
  readonly schema: ServedSchema;
}

export function LiveArguments({ path, parameters, schema }: LiveArgumentsProps) {
  const draft = useStore(liveArguments)[path];
  const scope = useVariableScope();
  const { errors } = useMemo(() => readArguments(parameters, draft, scope), [parameters, draft, scope]);
  return (
    <form className={styles.arguments} noValidate onSubmit={(event) => event.preventDefault()}>
      <ArgumentForm
        parameters={parameters}
        schema={schema}
        draft={draft}
        // A blank form shows what is missing in the outcome.
        errors={draft === undefined ? {} : errors}
        onChange={(next) => liveArguments.update((drafts) => ({ ...drafts, [path]: next }))}
      />
    </form>
  );
}
