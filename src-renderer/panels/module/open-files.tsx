/** The button that opens module files. The code for opening them is loaded by the first click. */

import { Button } from '@mantine/core';
import { loadPart } from '../../server-state/load-part.js';
import { useMayOpen } from '../../workspace/project.js';

export function OpenFiles() {
  if (!useMayOpen()) return null;
  const open = async (): Promise<void> => {
    const { openFiles } = await loadPart(() => import('../../workspace/open-project.js'));
    await openFiles();
  };
  return (
    <Button variant="default" onClick={() => void open()}>
      Open module files
    </Button>
  );
}
