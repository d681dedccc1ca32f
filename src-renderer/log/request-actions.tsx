/** What can be done with a logged request: compared, sent again, opened in Invoke, copied as a command, saved with all it depended on. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { RequestDetail } from '../../src-runtime/api/request-log.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { tellFailure } from '../components/tell-failure.js';
import { invokeLocation, queryLocation } from '../data/locations.js';
import { currentFork, switchTenant } from '../data/place.js';
import { factsChanged } from '../data/queries.js';
import { queryTabs, tabForText } from '../data/query-tabs.js';
import { host } from '../host/current-host.js';
import { changedAddress } from './log-address.js';
import { saveBundle } from './make-bundle.js';
import { bodyValue, curlText, fetchText } from './request-text.js';
import { canSendAgain, sendAgain } from './send-again.js';

interface RequestActionsProps {
  readonly request: RequestDetail;
  /** The tenant that it was about, where the page shows another's facts. */
  readonly otherTenant: string | undefined;
}

export function RequestActions({ request, otherTenant }: RequestActionsProps) {
  const navigate = useNavigate();
  const again = useSendAgain(request);
  const saving = useSaveBundle(request);
  const dispatched = dispatchOf(request);
  const adhoc = adhocOf(request);
  const [, setSearch] = useSearchParams();
  if (saving.running) {
    return (
      <Button variant="default" onClick={saving.cancel}>
        Saving… {saving.events} events · Cancel
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
          <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {dispatched !== undefined && (
            <Menu.Item
              onClick={() => {
                if (otherTenant !== undefined) switchTenant(otherTenant);
                if (request.fork !== undefined) currentFork.set(request.fork);
                void navigate(invokeLocation(dispatched.path, dispatched.args));
              }}
            >
              Open in Invoke
            </Menu.Item>
          )}
          {adhoc !== undefined && (
            <Menu.Item
              onClick={() => {
                if (otherTenant !== undefined) switchTenant(otherTenant);
                if (request.fork !== undefined) currentFork.set(request.fork);
                const { state, id } = tabForText(queryTabs.get(), adhoc.source, adhoc.args, crypto.randomUUID());
                queryTabs.set(state);
                void navigate(queryLocation(id));
              }}
            >
              Open in Query
            </Menu.Item>
          )}
          {dispatched === undefined && adhoc === undefined && (
            <Menu.Item
              disabled={!canSendAgain(request)}
              onClick={() => setSearch((current) => changedAddress(current, { changes: request.requestId }))}
            >
              Send again with changes
            </Menu.Item>
          )}
          <Menu.Item onClick={() => void copy(curlText(request, originHere()), COMMAND_COPIED)}>Copy as curl</Menu.Item>
          <Menu.Item onClick={() => void copy(fetchText(request, originHere()), SCRIPT_COPIED)}>
            Copy as fetch
          </Menu.Item>
          {request.answer !== null && (
            <Menu.Item onClick={() => void copy(request.answer?.text ?? '', ANSWER_COPIED)}>Copy the answer</Menu.Item>
          )}
          <Menu.Item onClick={saving.run}>Save as a repro bundle</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function useSendAgain(request: RequestDetail) {
  const [running, setRunning] = useState(false);
  const [, setSearch] = useSearchParams();
  const client = useQueryClient();
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      const requestId = await sendAgain(request);
      if (request.method !== 'GET') await factsChanged(client);
      setSearch((current) => changedAddress(current, { request: requestId }));
    } catch (error) {
      tellFailure('Not sent', error);
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
      if (!abort.signal.aborted) tellFailure('Not saved', error);
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

/** The path and arguments of a dispatch that Invoke can show. */
function dispatchOf(request: RequestDetail): { readonly path: string; readonly args: JsonValue } | undefined {
  if (!/\/dispatch\/(query|mutation|compute)(\?|$)/.test(request.path)) return undefined;
  const body = bodyValue(request.body) as { readonly path?: unknown; readonly args?: JsonValue } | undefined;
  return typeof body?.path === 'string' ? { path: body.path, args: body.args ?? {} } : undefined;
}

/** The text and the arguments of an ad-hoc request. */
function adhocOf(request: RequestDetail) {
  if (!/\/(query|mutation)\/adhoc(\?|$)/.test(request.path)) return undefined;
  const body = bodyValue(request.body) as
    | { readonly source?: unknown; readonly args?: Readonly<Record<string, JsonValue>> }
    | undefined;
  return typeof body?.source === 'string' ? { source: body.source, args: body.args ?? {} } : undefined;
}

const COMMAND_COPIED = 'The command is on the clipboard. It takes the token from ENTAIL_TOKEN.';
const SCRIPT_COPIED = 'The call is on the clipboard. It takes the token from ENTAIL_TOKEN.';
const ANSWER_COPIED = 'The answer is on the clipboard.';

/** The page of the desktop does not know it. */
function originHere(): string | undefined {
  return host.kind === 'browser' ? window.location.origin : undefined;
}

async function copy(text: string, told: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifications.show({ message: told });
  } catch (error) {
    tellFailure('Not copied', error);
  }
}
