/** The buttons that send the draft. For a write, *Dry run* comes first and is the primary button until this draft was dry-run. */

import { Button, Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SentCall } from '../../model/calls/calls.js';
import { usePastReason } from '../../model/calls/place.js';
import type { CallOutcome } from '../../server-state/run-call.js';
import { keysText, useKeysOf } from '../../state/shortcuts.js';
import { nextSending, type Sending } from './next-sending.js';

interface RunButtonsProps {
  readonly isWriting: boolean;
  readonly outcome: CallOutcome | undefined;
  /** Undefined while the draft is not a valid call. */
  readonly call: SentCall | undefined;
  /** Nothing to send. */
  readonly disabled?: boolean;
  /** Enter in a field of the form runs a read, but only dry-runs a write. */
  readonly isOfForm?: boolean;
  readonly onRun: (dryRun: boolean) => void;
  readonly onCancel: () => void;
}

export function RunButtons({ isWriting, outcome, call, disabled = false, isOfForm, onRun, onCancel }: RunButtonsProps) {
  const past = usePastReason();
  const reason = isWriting ? past : undefined;
  const next = nextSending(isWriting, outcome, call);
  const ofEnter: Sending = isWriting ? 'dryRun' : 'run';
  const running = outcome?.state === 'running' ? next : undefined;
  const button = (sending: Sending) => ({
    variant: sending === next ? 'filled' : 'default',
    type: isOfForm && sending === ofEnter ? ('submit' as const) : ('button' as const),
    onClick: () => onRun(sending === 'dryRun'),
    loading: sending === running,
    disabled: disabled || running !== undefined || reason !== undefined,
    ...(reason !== undefined && { title: reason }),
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
        <Button variant="subtle" onClick={onCancel}>
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
