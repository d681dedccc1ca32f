/** The Module panel: sources with live findings, outline or diagram, and saving. */

import { lazy, Suspense } from 'react';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { isLost } from '../../model/facts/failure.js';
import { loadPart } from '../../server-state/load-part.js';
import { useModuleInfo } from '../../server-state/module.js';
import { useWorkFiles } from '../../workspace/workspace.js';
import { OpenFiles } from './open-files.js';
import { Workspace } from './workspace.js';

export function ModulePanel() {
  const { files, readOnly, sources } = useWorkFiles();
  const info = useModuleInfo();
  if (isLost(sources)) {
    return (
      <LoadFailure error={sources.error} onRetry={() => void sources.refetch()}>
        <OpenFiles />
      </LoadFailure>
    );
  }
  if (sources.isPending || (readOnly && info.isPending)) return <LoadingRows rows={12} />;
  if (files.length > 0) return <Workspace files={files} readOnly={readOnly} />;
  const served = info.data?.modules.map(({ name }) => name) ?? [];
  return (
    <Suspense>
      {served.length > 0 ? <NoSources names={served} /> : <NoModule failure={info.data?.lastFailure?.message} />}
    </Suspense>
  );
}

const NoModule = lazy(async () => ({ default: (await loadPart(() => import('./no-module.js'))).NoModule }));

const NoSources = lazy(async () => ({ default: (await loadPart(() => import('./no-sources.js'))).NoSources }));
