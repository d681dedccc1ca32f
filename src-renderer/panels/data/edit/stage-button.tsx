/** Stages a change, to be saved together with others. */

import { Button } from '@mantine/core';

interface StageButtonProps {
  readonly disabled?: boolean;
  /** If the form has them. */
  readonly keys?: string;
  readonly onClick: () => void;
}

export function StageButton({ disabled = false, keys = 'Alt Enter', onClick }: StageButtonProps) {
  return (
    <Button
      variant="default"
      disabled={disabled}
      title={`Save later with other changes, in one transaction: ${keys}`}
      onClick={onClick}
    >
      Stage
    </Button>
  );
}
