/** Notices about files that other programs changed or deleted, and about files that an opened folder has gained. Loaded on demand. */

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProject } from '../../server-state/projects.js';
import { Glyph } from '../../ui/glyph.js';
import { drafts, keepDraft, type WorkFile, withoutDrafts } from '../../workspace/drafts.js';
import { openRecent } from '../../workspace/open-project.js';
import { bottomPane } from '../../workspace/workspace.js';
import { changeDraftsWithUndo } from './changes/change-drafts.js';

interface DiskNoticesProps {
  readonly files: readonly WorkFile[];
  readonly open: string;
  readonly onOpen: (file: string) => void;
}

export function DiskNotices({ files, open, onOpen }: DiskNoticesProps) {
  const show = ({ file }: WorkFile) =>
    file !== open && (
      <Button variant="default" onClick={() => onOpen(file)}>
        Show file
      </Button>
    );
  const deleted = files.filter((file) => file.deleted);
  return (
    <>
      <FolderNotice deleted={deleted} />
      {deleted.map((file) => (
        <Notice key={file.file} actions={show(file)}>
          {file.file} was deleted or renamed on disk.{' '}
          {file.dirty ? 'Its text is kept here. Saving writes the file again.' : 'Its text is not available.'}
        </Notice>
      ))}
      {files
        .filter(({ unreadable }) => unreadable !== undefined)
        .map((file) => (
          <Notice key={file.file} actions={show(file)}>
            {file.unreadable} {!file.dirty && file.text !== '' && 'You see the last text read from it (read-only).'}
          </Notice>
        ))}
      {files
        .filter(({ conflict }) => conflict)
        .map((file) => (
          <Notice
            key={file.file}
            actions={
              <>
                {show(file)}
                <ConflictActions file={file} />
              </>
            }
          >
            {file.file} changed on disk while you were editing it. Choose which text to save.
          </Notice>
        ))}
    </>
  );
}

/** Offers to open the folder again when it has other files than the project, as after a checkout of another branch. */
function FolderNotice({ deleted }: { readonly deleted: readonly WorkFile[] }) {
  const project = useProject();
  if (project === undefined || project.newFiles.length === 0) return null;
  const { newFiles, paths, name } = project;
  const drafted = deleted.filter(({ text, saved }) => text !== saved).map(({ file }) => file);
  return (
    <Notice
      actions={
        <Button variant="default" onClick={() => void openRecent({ name, paths })}>
          Open the folder again
        </Button>
      }
    >
      {newFiles.length === 1
        ? `${newFiles[0]} is new in the folder.`
        : `${newFiles.length} files are new in the folder: ${newFiles.join(', ')}.`}
      {drafted.length > 0 && ` Unsaved text of ${drafted.join(', ')} is kept until the file is back.`}
    </Notice>
  );
}

function ConflictActions({ file }: { readonly file: WorkFile }) {
  return (
    <>
      <Button variant="default" onClick={() => bottomPane.set('saves')}>
        Compare
      </Button>
      <Button variant="default" onClick={() => drafts.update((current) => keepDraft(current, file))}>
        Keep mine
      </Button>
      <Button
        variant="default"
        onClick={() =>
          changeDraftsWithUndo(
            (current) => withoutDrafts(current, [file.file]),
            `Your text in ${file.file} was discarded.`,
          )
        }
      >
        Use the text on disk
      </Button>
    </>
  );
}

function Notice({ children, actions }: { readonly children: ReactNode; readonly actions: ReactNode }) {
  return (
    <div className="notice notice-line" data-tone="warning" role="alert">
      <Glyph kind="warning" />
      <div className="notice-body">{children}</div>
      {actions}
    </div>
  );
}
