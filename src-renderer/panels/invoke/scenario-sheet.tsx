/** Turns calls into a test or a script, to copy or to append to the module as a draft. */

import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { MAIN, usePlace } from '../../model/calls/place.js';
import { api } from '../../server-state/api.js';
import type { HistoryEntry } from '../../server-state/call-history.js';
import { useForks } from '../../server-state/forks.js';
import { Glyph } from '../../ui/glyph.js';
import { SideSheet } from '../../ui/panes/side-sheet.js';
import sideSheetStyles from '../../ui/panes/side-sheet.module.css';
import { useAppendToModule } from '../../workspace/append-to-module.js';
import styles from './invoke.module.css';
import { scriptOf, testOf } from './scenario.js';

interface ScenarioSheetProps {
  readonly entries: readonly HistoryEntry[];
  readonly as: 'test' | 'script';
  readonly schema: ServedSchema;
  readonly onClose: () => void;
}

export function ScenarioSheet({ entries, as, schema, onClose }: ScenarioSheetProps) {
  const [name, setName] = useState('recorded calls');
  const isClosed = useIsClosed();
  const text = as === 'test' ? testOf(schema, entries, name) : scriptOf(entries, isClosed);
  const end = useAppendToModule();
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(() => notifications.show({ message: 'Copied' }));
  return (
    <SideSheet title={as === 'test' ? 'Test' : 'Shell script'} onClose={onClose}>
      <div className={styles.scenario}>
        {as === 'test' ? (
          <TextInput label="Test name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        ) : (
          <p className="dim">Pass the server address as its argument. Set ENTAIL_TOKEN, and put entail on the PATH.</p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
        <section className={styles.scenarioText} tabIndex={0} aria-label="Text">
          <pre className="mono">{text}</pre>
        </section>
        {as === 'test' && end !== undefined && (
          <ScenarioCheck file={end.file} text={end.textWith(text)} module={schema.modules[0]?.name ?? ''} name={name} />
        )}
        <div className={sideSheetStyles.sheetActions}>
          {as === 'test' && end !== undefined && (
            <Button variant="default" onClick={() => end.append(text)}>
              Append to {end.file} as a draft
            </Button>
          )}
          <Button onClick={copy}>Copy</Button>
        </div>
      </div>
    </SideSheet>
  );
}

/** Forks of another tenant are unknown here. */
function useIsClosed(): (entry: HistoryEntry) => boolean {
  const forks = useForks().data;
  const tenant = usePlace().context['tenantId'];
  return ({ fork, context }) => {
    if (fork === MAIN || forks === undefined || context['tenantId'] !== tenant) return false;
    return !forks.some(({ id, status }) => id === fork && status === 'open');
  };
}

interface ScenarioCheckProps {
  readonly file: string;
  /** The whole file, including the test. */
  readonly text: string;
  readonly module: string;
  /** The name of the test. */
  readonly name: string;
}

/** Runs the test on the server before it is added to the module. */
function ScenarioCheck({ file, text, module, name }: ScenarioCheckProps) {
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
  // A page without the right to load texts cannot try them.
  if (isError) return null;
  if (data === undefined) return <CheckStatus>Running the test…</CheckStatus>;
  const { error, test } = data;
  if (error !== undefined) {
    return (
      <CheckStatus>
        <Glyph kind="blocking" /> Compile error: {error.message}
      </CheckStatus>
    );
  }
  if (test?.failure !== undefined) {
    return (
      <CheckStatus>
        <Glyph kind="warning" /> Fails: {test.failure.message}. A test starts from ground truth, so include the calls
        that stored the data.
      </CheckStatus>
    );
  }
  return (
    <CheckStatus>
      <Glyph kind="good" /> Passes
    </CheckStatus>
  );
}

function CheckStatus({ children }: { readonly children: ReactNode }) {
  return (
    <p className="scenario-trial" role="status">
      {children}
    </p>
  );
}
