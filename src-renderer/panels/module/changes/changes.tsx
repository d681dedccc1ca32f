/** What another module changed, or would change, in a pane. */

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import type { ModuleChange } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { LoadingRows } from '../../../domain/failure/states.js';
import type { SourceFile } from '../../../server-state/api.js';
import { loadPart } from '../../../server-state/load-part.js';
import { Pane } from '../../../ui/panes/panes.js';
import { changeWords, isEmptyChange } from './change-words.js';

const ChangeList = lazy(async () => ({ default: (await loadPart(() => import('./change-list.js'))).ChangeList }));

/** Takes the focus of whoever asked for the changes. */
export const CLOSE_CHANGES_ID = 'close-changes';

interface ChangesProps {
  readonly change: ModuleChange;
  /** It has not happened: what it would add is explained by these texts. */
  readonly preview?: readonly SourceFile[] | undefined;
  readonly onClose: () => void;
  readonly remark?: ReactNode;
}

export function Changes({ change, preview, onClose, remark }: ChangesProps) {
  return (
    <Pane
      title={preview !== undefined ? 'What saving would change' : 'What the reload changed'}
      actions={
        <>
          <span className="dim">{changeWords(change)}</span>
          <ActionIcon id={CLOSE_CHANGES_ID} aria-label="Close changes" onClick={onClose}>
            <IconX size={14} />
          </ActionIcon>
        </>
      }
    >
      <div className="changes">
        {remark !== undefined && <div className="changes-words">{remark}</div>}
        {isEmptyChange(change) && <p className="dim changes-words">Nothing that anybody could notice.</p>}
        <Suspense fallback={<LoadingRows rows={4} />}>
          <ChangeList change={change} preview={preview} />
        </Suspense>
      </div>
    </Pane>
  );
}
