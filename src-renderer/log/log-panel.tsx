/** The Log panel: every request that any client made, and what one of them asked, got and means. */

import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { Panes } from '../components/panes.js';
import { useStore } from '../data/store.js';
import { BundlePane } from './bundle-pane.js';
import { CodesPane } from './codes-pane.js';
import { readAddress } from './log-address.js';
import { openedBundle } from './opened-bundle.js';
import { RequestInspector } from './request-inspector.js';
import { RequestListPane } from './request-list-pane.js';
import './log.css';

export function LogPanel() {
  const [search] = useSearchParams();
  const view = readAddress(search);
  const bundle = useStore(openedBundle);
  // Whoever follows a link to a request or code wants to see that.
  useEffect(() => {
    if (view.request !== undefined || view.codes !== undefined) openedBundle.set(undefined);
  }, [view.request, view.codes]);
  return (
    <Panes
      id="log"
      panes={[
        { id: 'requests', size: '52%', minSize: 320, stackedHeight: 280, content: <RequestListPane view={view} /> },
        {
          id: 'request',
          minSize: 320,
          stackedHeight: 480,
          content:
            bundle !== undefined ? (
              <BundlePane opened={bundle} />
            ) : view.codes !== undefined ? (
              <CodesPane code={view.codes} />
            ) : (
              <RequestInspector requestId={view.request} />
            ),
        },
      ]}
    />
  );
}
