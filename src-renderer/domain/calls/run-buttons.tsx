/** The buttons that send what is typed. Of what writes *Dry run* stands first, and is the one to press until it was tried as it stands. */

import { Button, Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SentCall } from '../../model/calls/calls.js';
import type { CallOutcome } from '../../server-state/run-call.js';
import { keysText, useKeysOf } from '../../state/shortcuts.js';
import { nextSending, type Sending } from './next-sending.js';

interface RunButtonsProps {
  readonly isWriting: boolean;
  readonly outcome: CallOutcome | undefined;
  /** What is typed; undefined while it does not make a call. */
  readonly call: SentCall | undefined;
  /** There is nothing to be sent. */
  readonly disabled?: boolean;
  /** Enter in a field of the form around it runs what is read, and only dry-runs what writes. */
  readonly isOfForm?: boolean;
  readonly onRun: (dryRun: boolean) => void;
  readonly onCancel: () => void;
}

export function RunButtons({ isWriting, outcome, call, disabled = false, isOfForm, onRun, onCancel }: RunButtonsProps) {
  const next = nextSending(isWriting, outcome, call);
  const ofEnter: Sending = isWriting ? 'dryRun' : 'run';
  const running = outcome?.state === 'running' ? next : undefined;
  const button = (sending: Sending) => ({
    variant: sending === next ? 'filled' : 'default',
    type: isOfForm && sending === ofEnter ? ('submit' as const) : ('button' as const),
    onClick: () => onRun(sending === 'dryRun'),
    loading: sending === running,
    disabled: disabled || running !== undefined,
  });
  return (
    <>
      {isWriting && (
        <WithKeys of="dryRun">
          <Button {...button('dryRun')}>Dry run</Button>
        </WithKeys>
      )}
      <WithKeys of="run">
        <Button {...button('run')} data-sends>
          Run
        </Button>
      </WithKeys>
      {running !== undefined && (
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </>
  );
}

function WithKeys({ of, children }: { readonly of: Sending; readonly children: ReactElement }) {
  const keys = keysText(useKeysOf(of));
  return (
    <Tooltip label={keys} disabled={keys === ''}>
      {children}
    </Tooltip>
  );
}
