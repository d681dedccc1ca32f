/** Profiles a query. The profile replaces the result until either is requested again. */

import { Button, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { SentCall } from '../../model/calls/calls.js';
import type { CallOutcome } from '../../server-state/run-call.js';

interface ProfileButtonProps {
  /** Undefined while the draft is not a valid call. */
  readonly call: SentCall | undefined;
  readonly onProfile: (call: SentCall) => void;
}

export function ProfileButton({ call, onProfile }: ProfileButtonProps) {
  return (
    <Tooltip label="Show the query plan and timing">
      <Button variant="subtle" disabled={call === undefined} onClick={() => call !== undefined && onProfile(call)}>
        Profile
      </Button>
    </Tooltip>
  );
}

/** The call that is profiled in place of this outcome. */
export function useProfiled(outcome: CallOutcome | undefined) {
  const [shown, setShown] = useState<{ readonly call: SentCall; readonly over: CallOutcome | undefined }>();
  return {
    profiled: shown?.over === outcome ? shown?.call : undefined,
    profile: (call: SentCall) => setShown({ call, over: outcome }),
    closeProfile: () => setShown(undefined),
  };
}
