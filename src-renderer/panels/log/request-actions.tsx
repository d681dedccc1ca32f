/** Actions on a logged request: compare, send again, open, copy, save as a bundle. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import { notifyFailure } from '../../domain/failure/notify-failure.js';
import { host } from '../../host/current-host.js';
import { stepsLocation } from '../../model/calls/batch-body.js';
import { currentFork, switchTenant } from '../../model/calls/place.js';
import { queryTabs, tabForText } from '../../model/calls/query-tabs.js';
import { invokeLocation, queryLocation } from '../../model/facts/locations.js';
import { refreshIfUnfollowed } from '../../server-state/live.js';
import { useFocusInPlace } from '../../ui/lost-focus.js';
import { saveBundle } from './bundle/make-bundle.js';
import { changedAddress } from './log-address.js';
import { openedCall } from './opened-call.js';
import { curlText, fetchText } from './request-text.js';
import { canSendAgain, sendAgain } from './send-again.js';

interface RequestActionsProps {
  readonly request: RequestDetail;
  /** The tenant of the request, if the page shows another one. */
  readonly otherTenant: string | undefined;
}

export function RequestActions({ request, otherTenant }: RequestActionsProps) {
  const again = useSendAgain(request);
  const saving = useSaveBundle(request);
  const opened = openedCall(request);
  const open = useOpenCall(request, otherTenant);
  const [, setSearch] = useSearchParams();
  const inItsPlace = useFocusInPlace(saving.running);
  if (saving.running) {
    return (
      <Button key="saving" ref={inItsPlace} variant="default" onClick={saving.cancel}>
        Saving… {saving.events} changes · Cancel
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" onClick={() => setSearch((current) => changedAddress(current, { with: '' }))}>
        Compare with…
      </Button>
      <Button variant="default" disabled={!canSendAgain(request)} loading={again.running} onClick={again.run}>
        Send again
      </Button>
      <Menu position="bottom-end" width={232}>
        <Menu.Target>
          <Button ref={inItsPlace} variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {opened !== undefined && (
            <Menu.Item onClick={open}>Open in {opened.kind === 'adhoc' ? 'Query' : 'Invoke'}</Menu.Item>
          )}
          {(opened === undefined || 'problem' in opened) && (
            <Menu.Item
              disabled={!canSendAgain(request)}
              onClick={() => setSearch((current) => changedAddress(current, { changes: request.requestId }))}
            >
              Send again with changes
            </Menu.Item>
          )}
          <Menu.Item onClick={() => void copy(curlText(request, originHere()), commandCopied, host.copyCommand)}>
            Copy as curl
          </Menu.Item>
          <Menu.Item onClick={() => void copy(fetchText(request, originHere()), SCRIPT_COPIED)}>
            Copy as fetch
          </Menu.Item>
          {request.answer !== null && (
            <Menu.Item onClick={() => void copy(request.answer?.text ?? '', ANSWER_COPIED)}>Copy response</Menu.Item>
          )}
          <Menu.Item onClick={saving.run}>Save repro bundle</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** Opens the call on its fork and tenant, or says why not. */
function useOpenCall(request: RequestDetail, otherTenant: string | undefined): () => void {
  const navigate = useNavigate();
  return () => {
    const call = openedCall(request);
    if (call === undefined) return;
    if ('problem' in call) {
      notifyFailure('Cannot open in Invoke', call.problem);
      return;
    }
    if (otherTenant !== undefined) switchTenant(otherTenant);
    if (request.fork !== undefined) currentFork.set(request.fork);
    if (call.kind === 'dispatch') void navigate(invokeLocation(call.path, call.args));
    else if (call.kind === 'batch') void navigate(stepsLocation(call.steps));
    else {
      const { state, id } = tabForText(queryTabs.get(), call, crypto.randomUUID());
      queryTabs.set(state);
      void navigate(queryLocation(id));
    }
  };
}

function useSendAgain(request: RequestDetail) {
  const [running, setRunning] = useState(false);
  const [, setSearch] = useSearchParams();
  const client = useQueryClient();
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      const requestId = await sendAgain(request);
      if (request.method !== 'GET') await refreshIfUnfollowed(client);
      setSearch((current) => changedAddress(current, { request: requestId }));
    } catch (error) {
      notifyFailure('Request failed', error);
    } finally {
      setRunning(false);
    }
  };
  return { running, run: () => void run() };
}

function useSaveBundle(request: RequestDetail) {
  const [events, setEvents] = useState<number | undefined>(undefined);
  const controller = useRef<AbortController | undefined>(undefined);
  const run = async (): Promise<void> => {
    const abort = new AbortController();
    controller.current = abort;
    setEvents(0);
    try {
      await saveBundle(request, setEvents, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) notifyFailure('Save failed', error);
    } finally {
      setEvents(undefined);
    }
  };
  return {
    running: events !== undefined,
    events: events ?? 0,
    run: () => void run(),
    cancel: () => controller.current?.abort(),
  };
}

const commandCopied =
  host.copyCommand === undefined
    ? 'Command copied. It reads the token from ENTAIL_TOKEN.'
    : 'Command copied. The first line sets the API token.';
const SCRIPT_COPIED = 'Code copied. It reads the token from ENTAIL_TOKEN.';
const ANSWER_COPIED = 'Response copied.';

/** The desktop page does not know it. */
function originHere(): string | undefined {
  return host.kind === 'browser' ? window.location.origin : undefined;
}

async function copy(text: string, message: string, write?: (text: string) => Promise<void>): Promise<void> {
  try {
    await (write ?? ((plain) => navigator.clipboard.writeText(plain)))(text);
    notifications.show({ message });
  } catch (error) {
    notifyFailure('Copy failed', error);
  }
}
