/** Actions on a call besides running it: copy as code, save to a collection, pin its result. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { host } from '../../host/current-host.js';
import type { CallCode } from '../../model/calls/call-code.js';
import { codesOf } from '../../model/calls/call-code.js';
import { isWrite, type SentCall } from '../../model/calls/calls.js';
import { PinButton } from '../result/pin-button.js';
import { SaveCall } from './save-call.js';

interface CallActionsProps {
  /** Undefined while the draft is not a valid call. */
  readonly call: SentCall | undefined;
  /** Key under which the saved call that this draft was opened from is stored. */
  readonly origin: string;
  /** Whether the result is a list. Undefined where pinning is offered elsewhere. */
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

/** `call` is undefined while the draft is not a valid call. */
function CopyCall({ call }: { call: SentCall | undefined }) {
  // The desktop page does not know the address of its server.
  const address = host.kind === 'electron' ? undefined : window.location.origin;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="subtle" disabled={call === undefined}>
          Copy as…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {call !== undefined &&
          codesOf(call, address).map((code) => (
            <Menu.Item key={code.name} onClick={() => void copy(code, address === undefined)}>
              {code.name}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

async function copy({ name, text, isCommand }: CallCode, needsAddress: boolean): Promise<void> {
  if (isCommand && host.copyCommand !== undefined) {
    await host.copyCommand(text());
    notifications.show({ message: `Copied as ${name}. The first line sets the API token.` });
    return;
  }
  await navigator.clipboard.writeText(text());
  const needs = needsAddress ? 'ENTAIL_TOKEN and ENTAIL_URL' : 'ENTAIL_TOKEN';
  const remark =
    name === 'JSON' ? 'This is the request body.' : `It reads ${needs} from the environment: see Connect in Settings.`;
  notifications.show({ message: `Copied as ${name}. ${remark}` });
}
