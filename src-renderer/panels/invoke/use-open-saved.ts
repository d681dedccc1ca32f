/** Opens the kept call that an address names, as the palette does: in the place of that address, which the way back is not to lead to. */

import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { callOfSaved } from '../../model/calls/calls.js';
import { readSavedAddress } from '../../model/facts/locations.js';
import { useCollections } from '../../server-state/collections.js';
import type { useRestore } from './use-restore.js';

/** `restore` undefined until it is known what there is to call. */
export function useOpenSaved(restore: ReturnType<typeof useRestore> | undefined): void {
  const collections = useCollections().data;
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const wanted = readSavedAddress(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the address names is opened once.
  useEffect(() => {
    if (wanted === undefined || collections === undefined || restore === undefined) return;
    const { collection, name } = wanted;
    const call = collections.find((each) => each.name === collection)?.calls.find((each) => each.name === name);
    if (call !== undefined) {
      restore(callOfSaved(call), wanted, true);
      return;
    }
    notifications.show({ message: `There is no call ${name} in ${collection}.calls.json any more.` });
    void navigate('/invoke', { replace: true });
  }, [wanted?.collection, wanted?.name, collections === undefined, restore === undefined]);
}
