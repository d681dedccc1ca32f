/** Whether a scenario passes as a test of the module, before it is put there. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../server-state/api.js';
import { Glyph } from '../../ui/glyph.js';

interface ScenarioTrialProps {
  readonly file: string;
  /** All of the file, with the test. */
  readonly text: string;
  readonly module: string;
  /** Of the test. */
  readonly name: string;
}

export function ScenarioTrial({ file, text, module, name }: ScenarioTrialProps) {
  const { data, isError } = useQuery({
    queryKey: ['module', 'try', file, text, module, name],
    queryFn: async ({ signal }) => {
      const { result } = await api.tryTests({ files: [{ file, text }] }, { signal });
      const test = result.tests.find((each) => each.module === module && each.name === name);
      return { error: result.diagnostics.find(({ severity }) => severity === 'error'), test };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  // Who may not load texts may not try them.
  if (isError) return null;
  if (data === undefined) return <Told>Trying it…</Told>;
  const { error, test } = data;
  if (error !== undefined) {
    return (
      <Told>
        <Glyph kind="blocking" /> It does not compile: {error.message}
      </Told>
    );
  }
  if (test?.failure !== undefined) {
    return (
      <Told>
        <Glyph kind="warning" /> It fails: {test.failure.message}. A test begins with the ground truth alone: what was
        stored before these calls has to be among them.
      </Told>
    );
  }
  return (
    <Told>
      <Glyph kind="good" /> It passes.
    </Told>
  );
}

function Told({ children }: { readonly children: ReactNode }) {
  return (
    <p className="scenario-trial" role="status">
      {children}
    </p>
  );
}
