/** Saves the list as a file: page by page, with its progress, until it is done or cancelled. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { type ExportFormat, exportText } from '../../../src-runtime/api/tables/export-text.js';
import { shortName } from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { numberText } from '../../model/text/count-text.js';
import { download, readWholeList } from './export-list.js';
import type { ListState } from './rows/list-state.js';

export function ExportMenu({ info, state }: { info: RelationInfo; state: ListState }) {
  const [progress, setProgress] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (format: ExportFormat): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setProgress(0);
    try {
      const records = await readWholeList(info, state, abort.signal, setProgress);
      download(`${shortName(info.path)}.${format}`, exportText(records, format), format);
    } catch (error) {
      if (!abort.signal.aborted) {
        const message = error instanceof Error ? error.message : String(error);
        notifications.show({ color: 'red', title: 'The list could not be exported', message });
      }
    } finally {
      setProgress(undefined);
    }
  };
  if (progress !== undefined) {
    return (
      <Button variant="subtle" onClick={() => running.current?.abort()}>
        <span role="status">{numberText(progress)} rows read</span>&nbsp;· Cancel
      </Button>
    );
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          className="list-button"
          title="Save the rows as a file"
          variant="subtle"
          leftSection={<IconDownload size={14} />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('csv')}>As CSV</Menu.Item>
        <Menu.Item onClick={() => void run('json')}>As JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
