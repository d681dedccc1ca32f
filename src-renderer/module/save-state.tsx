/** What the last save came to: a few words beside the button, and where it did not work a notice with the way out. */

import { Button } from '@mantine/core';
import { DiagnosticList } from '../components/diagnostic-list.js';
import { FailureView } from '../components/failure-view.js';
import { Glyph } from '../components/glyph.js';
import { registryRow } from '../data/failure.js';
import { type LastSave, lastSave } from '../data/workspace.js';

/** One short phrase, announced by screen readers. */
export function SaveWords({ save, dirty }: { save: LastSave; dirty: boolean }) {
  return (
    <span className="save-words" role="status">
      {saveWords(save, dirty)}
    </span>
  );
}

function saveWords(save: LastSave, dirty: boolean) {
  if (save.state === 'saving') return <span className="dim">Building…</span>;
  if (dirty) return <span className="dim">Unsaved changes</span>;
  if (save.state !== 'done') return null;
  const time = new Date(save.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  if (save.outcome.reloaded) {
    return (
      <>
        <Glyph kind="good" /> Saved and reloaded at <span className="numeric">{time}</span>
      </>
    );
  }
  return (
    <>
      <Glyph kind="warning" /> Saved, not reloaded
    </>
  );
}

/** Why the server does not run what was saved. */
export function SaveNotice({ save, dirty }: { save: LastSave; dirty: boolean }) {
  if (save.state === 'refused') {
    return (
      <Notice tone="blocking">
        <FailureView error={save.failure} />
      </Notice>
    );
  }
  if (save.state === 'unreachable') {
    return (
      <Notice tone="warning">
        Not saved: {save.message} What you typed is kept in this browser; save again once the runtime is back.
      </Notice>
    );
  }
  if (save.state !== 'done' || save.outcome.reloaded) return null;
  const { failure, diagnostics } = save.outcome;
  if (failure === undefined) {
    // Once the text is being mended, the list of problems says what is left.
    if (dirty) return null;
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    return (
      <Notice tone="warning">
        <strong>
          Saved to disk. The server keeps running the last good module, because this one does not compile.
        </strong>
        <DiagnosticList diagnostics={errors} />
      </Notice>
    );
  }
  const incompatibilities = Array.isArray(failure.details['incompatibilities'])
    ? failure.details['incompatibilities']
    : [];
  return (
    <Notice tone="blocking">
      <strong>Saved to disk. The server refused to reload it.</strong>
      <p>{failure.message}</p>
      <ul className="save-list">
        {incompatibilities.map(incompatibilityText).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p className="dim">
        <span className="mono">{failure.code}</span> {registryRow(failure.code)?.remedy}
      </p>
    </Notice>
  );
}

function incompatibilityText(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const message = (entry as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : JSON.stringify(entry);
}

function Notice({ tone, children }: { tone: 'blocking' | 'warning'; children: React.ReactNode }) {
  return (
    <div className="notice save-notice" data-tone={tone}>
      <Glyph kind={tone} />
      <div className="notice-body">{children}</div>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={() => lastSave.set({ state: 'none' })}>
        Dismiss
      </Button>
    </div>
  );
}
