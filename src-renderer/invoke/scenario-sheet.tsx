/** A scenario to be taken along: a test for the module, or a script; copied, saved, or appended to the module as a draft. */

import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { SideSheet } from '../components/side-sheet.js';
import type { HistoryEntry } from '../data/call-history.js';
import { drafts, withText } from '../data/drafts.js';
import { moduleLocation } from '../data/locations.js';
import { useWorkFiles } from '../data/workspace.js';
import { scriptOf, testOf } from './scenario.js';

interface ScenarioSheetProps {
  readonly entries: readonly HistoryEntry[];
  readonly as: 'test' | 'script';
  readonly schema: ServedSchema;
  readonly onClose: () => void;
}

export function ScenarioSheet({ entries, as, schema, onClose }: ScenarioSheetProps) {
  const [name, setName] = useState('what was called');
  const text = as === 'test' ? testOf(schema, entries, name) : scriptOf(entries);
  const { files, readOnly } = useWorkFiles();
  const navigate = useNavigate();
  const [file] = files;
  const append = (): void => {
    if (file === undefined) return;
    const next = `${file.text.trimEnd()}\n\n${text}`;
    drafts.update((current) => withText(current, file.file, next, file.saved));
    const line = next.split('\n').length - text.split('\n').length + 1;
    void navigate(moduleLocation({ file: file.file, start: { line, column: 1, offset: 0 } }));
  };
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
        <div className="sheet-actions">
          <Button onClick={copy}>Copy</Button>
          {as === 'test' && !readOnly && files.length === 1 && (
            <Button variant="default" onClick={append}>
              Append to {file?.file} as a draft
            </Button>
          )}
        </div>
      </div>
    </SideSheet>
  );
}
