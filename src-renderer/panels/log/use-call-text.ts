/** Headlines of requests with the labels of the scope that the page shows. */

import { useMemo } from 'react';
import { placeContext } from '../../model/calls/place.js';
import { canonicalIds } from '../../model/facts/canonical-ids.js';
import { idLabel } from '../../model/facts/labels.js';
import { useSchema } from '../../server-state/module.js';
import { useStore } from '../../state/store.js';
import { useLabels } from '../../ui/reference-label.js';
import { callText, type NamedRequest } from './call-text.js';

/** Another tenant may have individuals with the same ids, so those are not named. */
export function useCallText(): (request: NamedRequest & { readonly tenant?: string | undefined }) => string {
  const schema = useSchema().data;
  const labels = useLabels();
  const { tenantId } = useStore(placeContext);
  const idOf = useMemo(() => canonicalIds(schema ?? { individuals: [] }), [schema]);
  return (request) =>
    callText(request, schema, (id) => (request.tenant === tenantId ? labels.get(idOf(id)) : undefined) ?? idLabel(id));
}
