/** Exports all rows of a result page by page, with progress and cancel. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { type ExportFormat, exportText } from '../../../src-runtime/api/tables/export-text.js';
import type { SentCall } from '../../model/calls/calls.js';
import { sendCall } from '../../server-state/send-call.js';
import { safeFileName, saveFile } from '../../state/save-file.js';
import styles from './result-view.module.css';

const EXPORT_PAGE_ROWS = 1_000;

interface ExportButtonProps {
  readonly call: SentCall;
  /** File name without extension. */
  readonly name: string;
}

export function ExportButton({ call, name }: ExportButtonProps) {
  const [rows, setRows] = useState<number | undefined>(undefined);
  const abort = useRef<AbortController | undefined>(undefined);
  const run = async (format: ExportFormat): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    setRows(0);
    try {
      const all = await allRows(call, controller.signal, setRows);
      const text = exportText(all, format);
      saveFile(`${safeFileName(name, 'rows')}.${format}`, text, format === 'csv' ? 'text/csv' : 'application/json');
      notifications.show({ message: `${all.length} rows exported to ${safeFileName(name, 'rows')}.${format}.` });
    } catch (error) {
      if (!controller.signal.aborted) {
        const message = error instanceof Error ? error.message : String(error);
        notifications.show({ color: 'red', title: 'Export failed', message });
      }
    } finally {
      setRows(undefined);
    }
  };
  if (rows !== undefined) {
    return (
      <span className={styles.exportProgress} role="status">
        <span className="dim numeric">{rows} rows</span>
        <Button variant="subtle" onClick={() => abort.current?.abort()}>
          Cancel
        </Button>
      </span>
    );
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="subtle" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('csv')}>All rows as CSV</Menu.Item>
        <Menu.Item onClick={() => void run('json')}>All rows as JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

async function allRows(call: SentCall, signal: AbortSignal, onRows: (count: number) => void): Promise<JsonValue[]> {
  const all: JsonValue[] = [];
  let page: string | undefined;
  do {
    const answer = await sendCall(call, { signal, limit: EXPORT_PAGE_ROWS, page });
    for (const row of Array.isArray(answer.result) ? answer.result : [answer.result]) all.push(row);
    page = answer.nextCursor;
    onRows(all.length);
  } while (page !== undefined);
  return all;
}
