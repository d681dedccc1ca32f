/** The frame of notices about a save, and where the save went. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { useModuleInfo } from '../../../server-state/module.js';
import { Glyph } from '../../../ui/glyph.js';
import { type LastSave, lastSave, type SaveMode } from '../../../workspace/workspace.js';
import styles from '../module.module.css';
import { focusSource, showPanelHead } from './panel-focus.js';

export interface SaveNoticeProps {
  readonly save: LastSave;
  readonly dirty: boolean;
  readonly onSave: (how: SaveMode) => void;
  readonly onDiscard: () => void;
}

/** A server that started without files keeps texts in memory. */
export function SavedWhere() {
  return useModuleInfo().data?.held === true ? 'Saved in memory' : 'Saved to disk';
}

interface NoticeProps {
  readonly tone: 'blocking' | 'warning';
  readonly action?: ReactNode;
  /** False if the content has a glyph itself. */
  readonly hasGlyph?: boolean;
  readonly children: ReactNode;
}

export function Notice({ tone, action, hasGlyph = true, children }: NoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (notice.current !== null) showPanelHead(notice.current);
  }, []);
  return (
    <div ref={notice} className={clsx('notice', styles.saveNotice)} data-tone={tone}>
      {hasGlyph && <Glyph kind={tone} />}
      <div className="notice-body">{children}</div>
      <Button variant="subtle" size="compact-xs" onClick={dismiss}>
        Dismiss
      </Button>
      {action}
    </div>
  );
}

function dismiss(): void {
  focusSource();
  lastSave.set({ state: 'none' });
}
