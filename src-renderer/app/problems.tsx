/** The problems of all files, errors first; each leads to its place. */

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { DiagnosticList } from '../domain/failure/diagnostic-list.js';
import { useStore } from '../state/store.js';
import { Pane } from '../ui/panes/panes.js';
import { compileState } from '../workspace/compiler.js';

export function Problems({ onClose }: { onClose: () => void }) {
  const { diagnostics, status } = useStore(compileState);
  const sorted = [...diagnostics].sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
  return (
    <Pane
      title="Problems"
      actions={
        <ActionIcon aria-label="Close problems" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      {sorted.length === 0 ? (
        <p className="pane-padded dim">
          {status === 'failed' ? 'The compiler stopped. It starts again as you type.' : 'No problems in any file.'}
        </p>
      ) : (
        <DiagnosticList diagnostics={sorted} />
      )}
    </Pane>
  );
}
