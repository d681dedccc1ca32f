/** The Log panel: every request that any client made, and what one of them asked, got and means, or how two differ. */

import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useOpenName } from '../../state/page-title.js';
import { useStore } from '../../state/store.js';
import { Panes } from '../../ui/panes/panes.js';
import { BundlePane } from './bundle/bundle-pane.js';
import { openedBundle } from './bundle/opened-bundle.js';
import { CodesPane } from './codes-pane.js';
import { ChangedRequestPane } from './compare/changed-request-pane.js';
import { ComparisonPane } from './compare/comparison-pane.js';
import { RequestListPane } from './list/request-list-pane.js';
import { changedAddress, type LogView, readAddress } from './log-address.js';
import { RequestInspector } from './request-inspector.js';
import { useRequest } from './use-request.js';
import './log.css';

export function LogPanel() {
  const [search, setSearch] = useSearchParams();
  const view = readAddress(search);
  const bundle = useStore(openedBundle);
  // Whoever follows a link to a request or code wants to see that.
  useEffect(() => {
    if (view.request !== undefined || view.codes !== undefined) openedBundle.set(undefined);
  }, [view.request, view.codes]);
  // What is chosen later, by the arrow keys say, leaves the list in sight.
  const [linked] = useState(view.request);
  const isLinked = linked !== undefined && view.request === linked;
  useOpenName(useNameOf(view));
  const endComparison = (): void => setSearch((current) => changedAddress(current, { with: undefined }));
  return (
    <Panes
      id="log"
      panes={[
        {
          id: 'requests',
          size: '52%',
          minSize: 320,
          stackedHeight: 280,
          content: <RequestListPane view={view} onEndComparison={endComparison} />,
        },
        {
          id: 'request',
          minSize: 320,
          stackedHeight: 480,
          wanted: isLinked || bundle !== undefined || view.codes !== undefined,
          content:
            bundle !== undefined ? (
              <BundlePane opened={bundle} />
            ) : view.codes !== undefined ? (
              <CodesPane code={view.codes} />
            ) : view.request !== undefined && view.with !== undefined ? (
              <ComparisonPane first={view.request} second={view.with} onEnd={endComparison} />
            ) : view.request !== undefined && view.isChanging ? (
              <ChangedRequestPane
                requestId={view.request}
                onEnd={() => setSearch((current) => changedAddress(current, { changes: undefined }))}
                onSent={(sent) => setSearch((current) => changedAddress(current, { changes: undefined, with: sent }))}
              />
            ) : (
              <RequestInspector requestId={view.request} />
            ),
        },
      ]}
    />
  );
}

function useNameOf({ request, with: second, codes }: LogView): string | undefined {
  const detail = useRequest(request).data;
  if (codes !== undefined) return codes === '' ? 'error codes' : codes;
  if (detail === undefined) return undefined;
  const name = `${detail.method} ${detail.subject ?? detail.path}`;
  return second === undefined ? name : `${name} compared`;
}
