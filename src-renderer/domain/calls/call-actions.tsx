/** What can be done with a call beside running it: copied as code, kept in a collection, its result pinned. */

import { isWrite, type SentCall } from '../../model/calls/calls.js';
import { PinButton } from '../result/pin-button.js';
import { CopyCall } from './copy-call.js';
import { SaveCall } from './save-call.js';

interface CallActionsProps {
  /** Undefined while what is typed does not make a call. */
  readonly call: SentCall | undefined;
  /** Of what shows it: under it stands which kept call it was opened from. */
  readonly origin: string;
  /** Its answer is a list. Undefined where pinning is offered elsewhere. */
  readonly paged?: boolean;
}

export function CallActions({ call, origin, paged }: CallActionsProps) {
  return (
    <>
      <CopyCall call={call} />
      <SaveCall call={call} origin={origin} />
      {paged !== undefined && (call === undefined || !isWrite(call.request)) && (
        <PinButton request={call?.request} paged={paged} />
      )}
    </>
  );
}
