/** The Log panel: all requests, and details or a comparison. */

import { CloseButton } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ReproBundle } from '../../../src-runtime/api/repro-bundle.js';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import { Empty, LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { FactExplanation } from '../../domain/proof/fact-explanation.js';
import { host } from '../../host/current-host.js';
import { shortName } from '../../model/facts/locations.js';
import { momentText } from '../../model/text/time-text.js';
import { useHealth } from '../../server-state/health.js';
import { useSchema } from '../../server-state/module.js';
import { useOpenName } from '../../state/page-title.js';
import { useStore } from '../../state/store.js';
import { CopyLine } from '../../ui/copy-line.js';
import { Pane, Panes } from '../../ui/panes/panes.js';
import { KnownLabels, LocalNames } from '../../ui/reference-label.js';
import { BundleAgain } from './bundle/bundle-again.js';
import { namesInBundle } from './bundle/bundle-names.js';
import type { OpenedBundle } from './bundle/opened-bundle.js';
import { openedBundle } from './bundle/opened-bundle.js';
import { useCallText } from './call-text.js';
import { CodesPane } from './codes-pane.js';
import { ChangedRequestPane } from './compare/changed-request-pane.js';
import { ComparisonPane } from './compare/comparison-pane.js';
import { RequestListPane } from './list/request-list-pane.js';
import styles from './log.module.css';
import { changedAddress, type LogView, readAddress } from './log-address.js';
import { RequestActions } from './request-actions.js';
import { useOtherTenant } from './request-tenant.js';
import { RequestView } from './request-view.js';
import { useRequest } from './use-request.js';

export function LogPanel() {
  const [search, setSearch] = useSearchParams();
  const view = readAddress(search);
  const bundle = useStore(openedBundle);
  // A link to a request or code takes precedence over an open bundle.
  useEffect(() => {
    if (view.request !== undefined || view.codes !== undefined) openedBundle.set(undefined);
  }, [view.request, view.codes]);
  // A request selected later must not scroll the list away on narrow windows.
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
  const callTextOf = useCallText();
  if (codes !== undefined) return codes === '' ? 'error codes' : codes;
  if (detail === undefined) return undefined;
  const name = callTextOf(detail);
  return second === undefined ? name : `${name} compared`;
}

/** The selected request with its actions. */
function RequestInspector({ requestId }: { requestId: string | undefined }) {
  const schema = useSchema();
  const detail = useRequest(requestId);
  const otherTenant = useOtherTenant(detail.data, schema.data);
  return (
    <Pane
      title="Request"
      actions={detail.data !== undefined && <RequestActions request={detail.data} otherTenant={otherTenant} />}
    >
      {requestId === undefined ? (
        <Empty title="No request selected">
          <p>Select a request to see its details.</p>
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

/** A repro bundle: request, proofs, and how to reproduce it. */
function BundlePane({ opened: { fileName, read } }: { opened: OpenedBundle }) {
  return (
    <Pane
      title={`Repro bundle ${fileName}`}
      label="Repro bundle"
      actions={<CloseButton aria-label="Close the bundle" onClick={() => openedBundle.set(undefined)} />}
    >
      {'problem' in read ? (
        <Empty title={`Cannot open ${fileName}`}>
          <p>Reason: {read.problem}</p>
          <p>To save a bundle, select a request and choose More, Save repro bundle.</p>
        </Empty>
      ) : (
        <>
          <About bundle={read.bundle} fileName={fileName} />
          <BundleProof key={read.bundle.savedAt} bundle={read.bundle} />
          <RequestView request={read.bundle.request} />
        </>
      )}
    </Pane>
  );
}

function About({ bundle, fileName }: { bundle: ReproBundle; fileName: string }) {
  const { savedAt, version, scope, artifact, request } = bundle;
  const events = scope.events.length;
  return (
    <div className={styles.bundleAbout}>
      <p>
        Saved {momentText(savedAt)} by Entail {version}. Contains one request, the module and{' '}
        {events === 1 ? '1 change' : `${events.toLocaleString('en')} changes`} of{' '}
        {scope.fork.id === 'main' ? 'main' : `the fork ${scope.fork.id}`}
        {scope.tenant === null ? '' : `, tenant ${scope.tenant}`}.
      </p>
      {request.moduleHash !== artifact.integrity && <p>The module was reloaded between the request and the save.</p>}
      <BundleAgain key={bundle.savedAt} bundle={bundle} />
      {host.projects === undefined ? (
        <>
          <p className="dim">To reproduce it, serve the bundle. It runs in memory and keeps all ids:</p>
          <CopyLine label="Command to serve the bundle" text={`entail serve ${fileName}`} />
        </>
      ) : (
        <p className="dim">To reproduce it, open {fileName} from the File menu. It runs in memory and keeps all ids.</p>
      )}
    </div>
  );
}

/** The proofs in the bundle. */
function BundleProof({ bundle }: { bundle: ReproBundle }) {
  const { proof, request, artifact } = bundle;
  const loaded = useHealth().data?.module.moduleHash;
  const names = useMemo(() => namesInBundle(bundle), [bundle]);
  if (proof === undefined) return null;
  const { explanations, asOf } = proof;
  return (
    <section className={styles.bundleProof} aria-label="Proof">
      <h3 className="group-title">{explanations.length === 1 ? 'Proof' : `Proofs of ${explanations.length} facts`}</h3>
      <p className="dim">
        {asOf === 'request'
          ? `Based on the facts at the time of the request${request.status >= 400 ? ', with its own changes' : ''}.`
          : 'Based on the facts when the bundle was saved. Facts or module had changed since the request.'}
      </p>
      <LocalNames value={names}>
        <KnownLabels value={names}>
          {explanations.map((explanation, place) => (
            <FactExplanation
              // biome-ignore lint/suspicious/noArrayIndexKey: the proofs of one bundle have no key other than their index.
              key={place}
              explanation={explanation}
              about={aboutOf(explanation, explanations.length > 1 ? place + 1 : undefined)}
              hasSource={loaded === artifact.integrity}
            />
          ))}
        </KnownLabels>
      </LocalNames>
    </section>
  );
}

/** Proofs are numbered, because they may be of the same check. */
function aboutOf(explanation: Explanation, number: number | undefined): string {
  const relation = explanation.holds ? explanation.proof.relation : explanation.whyNot.relation;
  return `${shortName(relation ?? '')}${number === undefined ? '' : `, ${number}`}`;
}
