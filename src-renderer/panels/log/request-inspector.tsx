/** The chosen request, and what can be done with it. */

import { Empty, LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { useSchema } from '../../server-state/queries.js';
import { Pane } from '../../ui/panes/panes.js';
import { RequestActions } from './request-actions.js';
import { useOtherTenant } from './request-tenant.js';
import { RequestView } from './request-view.js';
import { useRequest } from './use-request.js';

export function RequestInspector({ requestId }: { requestId: string | undefined }) {
  const schema = useSchema();
  const detail = useRequest(requestId);
  const otherTenant = useOtherTenant(detail.data, schema.data);
  return (
    <Pane
      title="Request"
      actions={detail.data !== undefined && <RequestActions request={detail.data} otherTenant={otherTenant} />}
    >
      {requestId === undefined ? (
        <Empty title="No request chosen">
          <p>Choose one in the list to see what it asked, what it got, and for a failure what it means and names.</p>
        </Empty>
      ) : detail.isError ? (
        <LoadFailure error={detail.error} onRetry={() => void detail.refetch()} />
      ) : detail.data === undefined ? (
        <LoadingRows rows={8} />
      ) : (
        <RequestView key={requestId} request={detail.data} schema={schema.data} otherTenant={otherTenant} />
      )}
    </Pane>
  );
}
