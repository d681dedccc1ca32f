/** A repro bundle from a file: what was asked and answered, on what, what this server answers, and how to serve what it met. */

import { CloseButton } from '@mantine/core';
import type { ReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import { Empty } from '../../../domain/failure/states.js';
import { momentText } from '../../../model/text/time-text.js';
import { CopyLine } from '../../../ui/copy-line.js';
import { Pane } from '../../../ui/panes/panes.js';
import { RequestView } from '../request-view.js';
import { BundleAgain } from './bundle-again.js';
import { BundleProof } from './bundle-proof.js';
import { type OpenedBundle, openedBundle } from './opened-bundle.js';

export function BundlePane({ opened: { fileName, read } }: { opened: OpenedBundle }) {
  return (
    <Pane
      title={`Repro bundle ${fileName}`}
      label="Repro bundle"
      actions={<CloseButton aria-label="Close the bundle" onClick={() => openedBundle.set(undefined)} />}
    >
      {'problem' in read ? (
        <Empty title={`${fileName} cannot be shown`}>
          <p>The file: {read.problem}</p>
          <p>A bundle is made in this panel: choose a request, then More, Save as a repro bundle.</p>
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
    <div className="bundle-about">
      <p>
        Saved {momentText(savedAt)} by Entail {version}: one request with the module and the{' '}
        {events === 1 ? '1 event' : `${events.toLocaleString('en')} events`} that{' '}
        {scope.fork.id === 'main' ? 'main' : `the fork ${scope.fork.id}`} had seen
        {scope.tenant === null ? '' : `, of the tenant ${scope.tenant}`}.
      </p>
      {request.moduleHash !== artifact.integrity && (
        <p>The module is the one that was loaded when it was saved; the request ran under another.</p>
      )}
      <BundleAgain key={bundle.savedAt} bundle={bundle} />
      <p className="dim">To send it to what it met, in memory and with all ids as they were, serve the bundle:</p>
      <CopyLine label="Command that serves the bundle" text={`entail serve ${fileName}`} />
    </div>
  );
}
