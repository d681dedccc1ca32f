/** Copies a call as code that makes it, in the form that is picked. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { host } from '../../host/current-host.js';
import { type CallCode, codesOf } from '../../model/calls/call-code.js';
import type { SentCall } from '../../model/calls/calls.js';

/** `call` undefined while what is typed does not make one. */
export function CopyCall({ call }: { call: SentCall | undefined }) {
  // The page of the desktop does not know the address of its server.
  const address = host.kind === 'electron' ? undefined : window.location.origin;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="subtle" color="gray" disabled={call === undefined}>
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

async function copy({ name, text }: CallCode, needsAddress: boolean): Promise<void> {
  await navigator.clipboard.writeText(text);
  const needs = needsAddress ? 'ENTAIL_TOKEN and ENTAIL_URL' : 'ENTAIL_TOKEN';
  const remark = name === 'JSON' ? 'It is the body of the request.' : `It takes ${needs} from the environment.`;
  notifications.show({ message: `Copied as ${name}. ${remark}` });
}
