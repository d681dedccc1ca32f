/** Asks what a query takes; what it took stands in the place of its result until either is asked for again. */

import { Button, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { SentCall } from '../../model/calls/calls.js';
import type { CallOutcome } from '../../server-state/run-call.js';

interface ProfileButtonProps {
  /** Undefined while what is typed does not make a call. */
  readonly call: SentCall | undefined;
  readonly onProfile: (call: SentCall) => void;
}

export function ProfileButton({ call, onProfile }: ProfileButtonProps) {
  return (
    <Tooltip label="Show the query plan and timing">
      <Button
        variant="subtle"
        color="gray"
        disabled={call === undefined}
        onClick={() => call !== undefined && onProfile(call)}
      >
        Profile
      </Button>
    </Tooltip>
  );
}

/** What is profiled in the place of this outcome. */
export function useProfiled(outcome: CallOutcome | undefined) {
  const [shown, setShown] = useState<{ readonly call: SentCall; readonly over: CallOutcome | undefined }>();
  return {
    profiled: shown?.over === outcome ? shown?.call : undefined,
    profile: (call: SentCall) => setShown({ call, over: outcome }),
    closeProfile: () => setShown(undefined),
  };
}
