/** A scenario to be taken along: a test for the module, or a script; copied, saved, or appended to the module as a draft. */

import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { MAIN, usePlace } from '../../model/calls/place.js';
import type { HistoryEntry } from '../../server-state/call-history.js';
import { useForks } from '../../server-state/forks.js';
import { SideSheet } from '../../ui/panes/side-sheet.js';
import { useModuleEnd } from '../../workspace/append-to-module.js';
import { scriptOf, testOf } from './scenario.js';
import { ScenarioTrial } from './scenario-trial.js';

interface ScenarioSheetProps {
  readonly entries: readonly HistoryEntry[];
  readonly as: 'test' | 'script';
  readonly schema: ServedSchema;
  readonly onClose: () => void;
}

export function ScenarioSheet({ entries, as, schema, onClose }: ScenarioSheetProps) {
  const [name, setName] = useState('what was called');
  const isClosed = useIsClosed();
  const text = as === 'test' ? testOf(schema, entries, name) : scriptOf(entries, isClosed);
  const end = useModuleEnd();
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(() => notifications.show({ message: 'Copied.' }));
  return (
    <SideSheet title={as === 'test' ? 'A test of the module' : 'A shell script'} onClose={onClose}>
      <div className="scenario">
        {as === 'test' ? (
          <TextInput label="Name of the test" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        ) : (
          <p className="dim">
            It needs the address of a server as its argument, ENTAIL_TOKEN in the environment, and entail on the path.
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
        <section className="scenario-text" tabIndex={0} aria-label="Text">
          <pre className="mono">{text}</pre>
        </section>
        {as === 'test' && end !== undefined && (
          <ScenarioTrial file={end.file} text={end.textWith(text)} module={schema.modules[0]?.name ?? ''} name={name} />
        )}
        <div className="sheet-actions">
          <Button onClick={copy}>Copy</Button>
          {as === 'test' && end !== undefined && (
            <Button variant="default" onClick={() => end.append(text)}>
              Append to {end.file} as a draft
            </Button>
          )}
        </div>
      </div>
    </SideSheet>
  );
}

/** As far as it is known: another tenant has other forks. */
function useIsClosed(): (entry: HistoryEntry) => boolean {
  const forks = useForks().data;
  const tenant = usePlace().context['tenantId'];
  return ({ fork, context }) => {
    if (fork === MAIN || forks === undefined || context['tenantId'] !== tenant) return false;
    return !forks.some(({ id, status }) => id === fork && status === 'open');
  };
}
