/** How a sheet ends once it has written. */

import { Button } from '@mantine/core';
import type { Firing } from '../../../../src-runtime/api/schemas/schemas.js';
import { ForkOfPart } from '../../../model/calls/place.js';
import { useFocusIfLost } from './focus-if-lost.js';
import { NewWarnings } from './promotion-preview.js';

interface WarningsThereProps {
  readonly warnings: readonly Firing[];
  readonly on: string;
}

/** Checks that fire now on the fork that was written to and did not before, each with its proof there. */
export function WarningsThere({ warnings, on }: WarningsThereProps) {
  return (
    <ForkOfPart.Provider value={on}>
      <NewWarnings warnings={warnings} kept />
    </ForkOfPart.Provider>
  );
}

/** Has the focus where that went with the button that wrote. */
export function CloseButton({ isNew, onClose }: { readonly isNew: boolean; readonly onClose: () => void }) {
  const close = useFocusIfLost(isNew);
  return (
    <Button variant="default" ref={close} onClick={onClose}>
      Close
    </Button>
  );
}
