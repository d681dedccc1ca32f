/** Actions for a text: run, profile, format, copy, save, pin, add to module. */

import { Button, Switch, Tooltip } from '@mantine/core';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CallActions } from '../../domain/calls/call-actions.js';
import { RunButtons } from '../../domain/calls/run-buttons.js';
import { PinButton } from '../../domain/result/pin-button.js';
import { ProfileButton } from '../../domain/result/profile-button.js';
import { adhocKind, declaredText, type SentCall } from '../../model/calls/calls.js';
import { type QueryTab, queryKey, tabName } from '../../model/calls/query-tabs.js';
import type { CallOutcome } from '../../server-state/run-call.js';
import { isPagedText } from '../../server-state/send-call.js';
import { useAppendToModule } from '../../workspace/append-to-module.js';
import styles from './query.module.css';
import { formatShown } from './query-editor.js';
import { showPinned } from './query-side.js';

interface QueryToolbarProps {
  readonly tab: QueryTab;
  readonly outcome: CallOutcome | undefined;
  readonly runnable: boolean;
  /** Undefined while the arguments have errors. */
  readonly call: SentCall | undefined;
  /** The module choice, if several modules are loaded. */
  readonly module: ReactNode;
  readonly moduleName: string | undefined;
  readonly onRun: (dryRun: boolean) => void;
  readonly onCancel: () => void;
  readonly onLive: (live: boolean) => void;
  readonly onProfile: (call: SentCall) => void;
}

export function QueryToolbar({ tab, outcome, runnable, call, module, moduleName, ...does }: QueryToolbarProps) {
  const { onRun, onCancel, onLive, onProfile } = does;
  const kind = adhocKind(tab.source);
  const end = useAppendToModule(moduleName);
  return (
    <div className="query-toolbar" role="toolbar" aria-label="Run">
      <RunButtons
        isWriting={kind === 'mutation'}
        outcome={outcome}
        call={call}
        disabled={!runnable}
        onRun={onRun}
        onCancel={onCancel}
      />
      {moduleName === undefined ? (
        <span className={clsx(styles.queryKind, 'dim')}>{kind ?? 'a query, derive or mutation'}</span>
      ) : (
        <span className="dim">in</span>
      )}
      {module}
      <span className="pane-spacer" />
      {kind !== 'mutation' && (
        <Tooltip label="Run again when facts change">
          <Switch label="Live" checked={tab.live} onChange={(event) => onLive(event.currentTarget.checked)} />
        </Tooltip>
      )}
      {kind !== 'mutation' && <ProfileButton call={call} onProfile={onProfile} />}
      <Button variant="subtle" disabled={!runnable} title="Shift+Alt+F" onClick={() => void formatShown()}>
        Format
      </Button>
      <CallActions call={call} origin={queryKey(tab.id)} />
      {kind !== 'mutation' && (
        <PinButton request={call?.request} paged={isPagedText(tab.source)} name={tabName(tab)} onPin={showPinned} />
      )}
      {end !== undefined && (
        <Tooltip label={`Append to ${end.file} as a draft`}>
          <Button
            variant="subtle"
            disabled={kind === undefined}
            onClick={() => end.append(declaredText(tab.source.trim()))}
          >
            Add to module
          </Button>
        </Tooltip>
      )}
    </div>
  );
}
