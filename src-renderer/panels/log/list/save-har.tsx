/** Saves the listed requests with their bodies as an HTTP archive. */

import { Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import type { RequestDetail, RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';
import { host } from '../../../host/current-host.js';
import { hasCode } from '../../../model/facts/failure.js';
import { api } from '../../../server-state/api.js';
import { saveFile } from '../../../state/save-file.js';
import { HAR_EXTENSION, harOf } from './har.js';

export function SaveHar({ rows }: { rows: readonly RequestSummary[] }) {
  const [read, setRead] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setRead(0);
    try {
      await saveHar(rows, abort.signal, setRead);
    } catch (error) {
      if (!abort.signal.aborted) {
        const message = error instanceof Error ? error.message : String(error);
        notifications.show({ color: 'red', title: 'Save failed', message });
      }
    } finally {
      setRead(undefined);
    }
  };
  if (read !== undefined) {
    return (
      <Button variant="subtle" size="compact-xs" onClick={() => running.current?.abort()}>
        <span role="status">
          {read} of {rows.length}
        </span>
        &nbsp;· Cancel
      </Button>
    );
  }
  return (
    <Tooltip label="Save listed requests as HAR for browser dev tools">
      <Button variant="subtle" size="compact-xs" disabled={rows.length === 0} onClick={() => void run()}>
        Save as HAR
      </Button>
    </Tooltip>
  );
}

async function saveHar(
  rows: readonly RequestSummary[],
  signal: AbortSignal,
  onRead: (requests: number) => void,
): Promise<void> {
  const { version } = (await api.health({ signal })).result;
  const details: RequestDetail[] = [];
  for (const [index, { requestId }] of rows.entries()) {
    try {
      details.push((await api.request(requestId, { signal })).result);
    } catch (error) {
      // The log has dropped it since.
      if (!hasCode(error, 'SVC_RUNTIME_VALIDATION_FAILED')) throw error;
    }
    onRead(index + 1);
  }
  // The desktop page does not know the address of its server.
  const origin = host.kind === 'browser' ? window.location.origin : 'http://127.0.0.1';
  saveFile(`requests${HAR_EXTENSION}`, JSON.stringify(harOf(details, origin, version), null, 2), 'application/json');
}
