/** The notice about a save that failed. */

import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { useHealth } from '../../../server-state/health.js';
import { loadPart } from '../../../server-state/load-part.js';
import { useStore } from '../../../state/store.js';
import { problemsOpen } from '../../../workspace/workspace.js';
import { Notice, SavedWhere, type SaveNoticeProps } from './save-notice.js';

// Loaded on demand, because most saves fit.
const loadIncompatibleNotice = () => loadPart(() => import('./incompatible-notice.js'));
const IncompatibleNotice = lazy(async () => ({ default: (await loadIncompatibleNotice()).IncompatibleNotice }));
const NotRunNotice = lazy(async () => ({ default: (await loadIncompatibleNotice()).NotRunNotice }));

/** Why the server does not run, or would not run, the text. */
export function SaveNotice({ save, dirty, onSave, onDiscard }: SaveNoticeProps) {
  if (save.state === 'incompatible') {
    return (
      <Suspense>
        <IncompatibleNotice
          key={JSON.stringify(save.outcome)}
          {...save}
          dirty={dirty}
          onSave={onSave}
          onDiscard={onDiscard}
        />
      </Suspense>
    );
  }
  if (save.state === 'refused') {
    return (
      <Notice tone="blocking" hasGlyph={false}>
        <FailureView error={save.failure} />
      </Notice>
    );
  }
  if (save.state === 'unreachable') return <Unreachable {...save} {...{ dirty, onSave }} />;
  if (save.state !== 'done' || save.outcome.reloaded) return null;
  const { failure, diagnostics } = save.outcome;
  if (failure === undefined) {
    // While the user fixes the text, the problem list is enough.
    if (dirty) return null;
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    return <DoesNotCompile errors={errors} />;
  }
  return (
    <Suspense>
      <NotRunNotice failure={failure} />
    </Suspense>
  );
}

interface UnreachableProps extends Pick<SaveNoticeProps, 'dirty' | 'onSave'> {
  readonly message: string;
  readonly at: number;
}

/** Hidden once there is nothing to save. */
function Unreachable({ message, at, dirty, onSave }: UnreachableProps) {
  const { dataUpdatedAt, isSuccess } = useHealth();
  if (!isSuccess || dataUpdatedAt < at) {
    return (
      <Notice tone="warning">
        Not saved: {message} Your text is kept in this browser. Save again when the server is back.
      </Notice>
    );
  }
  if (!dirty) return null;
  return (
    <Notice
      tone="warning"
      action={
        <Button variant="default" size="compact-xs" onClick={() => onSave('check')}>
          Save again
        </Button>
      }
    >
      Not saved: the server did not respond. It is back, and your text is kept in this browser.
    </Notice>
  );
}

/** One line, because the problem list has the errors. */
function DoesNotCompile({ errors }: { errors: number }) {
  const shown = useStore(problemsOpen);
  const runsNone = useHealth().data?.module.loaded === false;
  return (
    <Notice
      tone="warning"
      action={
        shown ? null : (
          <Button variant="subtle" size="compact-xs" onClick={() => problemsOpen.set(true)}>
            Show problems
          </Button>
        )
      }
    >
      <SavedWhere /> with {errors} {errors === 1 ? 'error' : 'errors'}.{' '}
      {runsNone ? 'The server runs no module until you fix them.' : 'The server is running the last valid save.'}
    </Notice>
  );
}
