/** Saves all rows of a list or a result as a file, with progress and cancel. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { sizeText } from '../../model/text/count-text.js';
import { FILE_FORMATS, type FileFormat, fileOf, type RowSource } from '../../server-state/row-streams.js';
import { safeFileName, saveFile } from '../../state/save-file.js';

interface ExportMenuProps {
  readonly source: RowSource;
  /** File name without extension. */
  readonly name: string;
  /** What precedes the name of a format: `As`, `All rows as`. */
  readonly lead: string;
  readonly className?: string | undefined;
}

const FORMATS: Readonly<Record<FileFormat, { readonly label: string; readonly type: string }>> = {
  csv: { label: 'CSV', type: 'text/csv' },
  tsv: { label: 'TSV', type: 'text/tab-separated-values' },
  json: { label: 'JSON', type: 'application/json' },
  jsonl: { label: 'JSON Lines', type: 'application/x-ndjson' },
  parquet: { label: 'Parquet', type: 'application/vnd.apache.parquet' },
};

export function ExportMenu({ source, name, lead, className }: ExportMenuProps) {
  const [bytes, setBytes] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (format: FileFormat): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setBytes(0);
    const fileName = `${safeFileName(name, 'rows')}.${format}`;
    try {
      const file = await fileOf(source, format, abort.signal, setBytes);
      saveFile(fileName, file, FORMATS[format].type);
      notifications.show({ message: `All rows exported to ${fileName} (${sizeText(file.size)}).` });
    } catch (error) {
      if (!abort.signal.aborted) notifications.show({ color: 'red', title: 'Export failed', message: reason(error) });
    } finally {
      setBytes(undefined);
    }
  };
  if (bytes !== undefined) {
    return (
      <Button className={className} variant="subtle" onClick={() => running.current?.abort()}>
        <span role="status">{sizeText(bytes)}</span>&nbsp;· Cancel
      </Button>
    );
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          className={className}
          title="Save all rows to a file"
          variant="subtle"
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FILE_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void run(format)}>
            {lead} {FORMATS[format].label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function reason(error: unknown): string {
  // A stream that breaks off fails with a TypeError in the words of the browser.
  if (error instanceof TypeError) return 'The server broke off before the last row. The log shows why.';
  return error instanceof Error ? error.message : String(error);
}
