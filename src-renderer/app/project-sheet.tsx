/** The dialogs of the project menu: names of files, and folders on the machine of the server. */

import { Button, TextInput } from '@mantine/core';
import { IconFile, IconFolder, IconFolderUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FailureView } from '../domain/failure/failure-view.js';
import { LoadingRows } from '../domain/failure/states.js';
import { api } from '../server-state/api.js';
import { useProject } from '../server-state/projects.js';
import { SideSheet } from '../ui/panes/side-sheet.js';
import { openCopies, openPaths, openThen, selectFiles } from '../workspace/open-project.js';
import { type OpenSheet, projectSheet } from '../workspace/project.js';
import styles from './project-sheet.module.css';

const TITLES = {
  openFiles: 'Open files',
  openFolder: 'Open folder',
  saveAs: 'Save project as',
  addFile: 'Add file',
  rename: 'Rename file',
  facts: 'Where to store facts',
} as const;

function close(): void {
  projectSheet.set(undefined);
}

export function ProjectSheet({ sheet }: { sheet: OpenSheet }) {
  return (
    <SideSheet title={TITLES[sheet.kind]} onClose={close}>
      <Content sheet={sheet} />
    </SideSheet>
  );
}

function Content({ sheet }: { sheet: OpenSheet }) {
  switch (sheet.kind) {
    case 'openFiles':
      return <OpenFiles />;
    case 'openFolder':
      return <OpenFolder />;
    case 'saveAs':
      return <SaveAs />;
    case 'addFile':
      return <AddFile />;
    case 'rename':
      return <RenameFile />;
    case 'facts':
      return <FactsFolder {...sheet} />;
  }
}

function OpenFiles() {
  const [selected, setSelected] = useState<readonly string[]>([]);
  return (
    <>
      <Places
        selected={selected}
        onFile={(path) =>
          setSelected((before) => (before.includes(path) ? before.filter((each) => each !== path) : [...before, path]))
        }
      />
      <div className={styles.actions}>
        <Button variant="subtle" onClick={() => void selectFiles().then(openCopies)}>
          Upload a copy…
        </Button>
        <span className={styles.spacer} />
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button disabled={selected.length === 0} onClick={() => void openPaths({ paths: selected })}>
          {selected.length > 1 ? `Open ${selected.length} files` : 'Open file'}
        </Button>
      </div>
    </>
  );
}

function OpenFolder() {
  const [folder, setFolder] = useState<string>();
  return (
    <>
      <Places onFolder={setFolder} />
      <Actions
        action="Open folder"
        isDisabled={folder === undefined}
        onAction={() => folder !== undefined && void openPaths({ paths: [folder] })}
      />
    </>
  );
}

function SaveAs() {
  const project = useProject();
  const [folder, setFolder] = useState<string>();
  const [name, setName] = useState((project?.name ?? '').replace(/\.entail(\.json)?$/, ''));
  return (
    <>
      <p className="dim">Copies the files and all facts to a new folder, and opens the copy.</p>
      <Places onFolder={setFolder} />
      <NameForm
        label="Name of the new folder"
        action="Save"
        value={name}
        onChange={setName}
        isDisabled={folder === undefined}
        onSubmit={() => openThen(() => api.saveProjectAs({ folder: `${folder}/${name.trim()}` }), 'Could not save')}
      />
    </>
  );
}

function AddFile() {
  const [name, setName] = useState('');
  const file = withEnding(name);
  const module = file.replace(/^.*\//, '').replace('.entail', '').replace(/\W/g, '_');
  return (
    <NameForm
      label="File name"
      description={file === '' ? 'For example rooms.entail' : `Starts with: module ${module}`}
      action="Add file"
      value={name}
      onChange={setName}
      onSubmit={() =>
        openThen(() => api.addProjectFile({ file, text: `module ${module}\n` }), 'Could not add the file')
      }
    />
  );
}

function RenameFile() {
  const files = useProject()?.files ?? [];
  const [from, setFrom] = useState(files[0] ?? '');
  const [name, setName] = useState(from);
  const select = (file: string): void => {
    setFrom(file);
    setName(file);
  };
  return (
    <>
      {files.length > 1 && (
        <fieldset className={styles.files}>
          <legend>File</legend>
          {files.map((file) => (
            <label key={file}>
              <input type="radio" name="file" checked={file === from} onChange={() => select(file)} /> {file}
            </label>
          ))}
        </fieldset>
      )}
      <NameForm
        label="New name"
        description="The module in the file keeps its name. F2 in the editor renames it."
        action="Rename"
        value={name}
        onChange={setName}
        isDisabled={withEnding(name) === from}
        onSubmit={() => openThen(() => api.renameProjectFile({ from, to: withEnding(name) }), 'Could not rename')}
      />
    </>
  );
}

function withEnding(name: string): string {
  const trimmed = name.trim();
  return trimmed === '' || trimmed.endsWith('.entail') ? trimmed : `${trimmed}.entail`;
}

function FactsFolder({ paths, message }: { paths: readonly string[]; message: string }) {
  const [folder, setFolder] = useState<string>();
  return (
    <>
      <p>{message}</p>
      <Places onFolder={setFolder} />
      <div className={styles.actions}>
        <Button variant="subtle" onClick={() => void openPaths({ paths, facts: 'memory' })}>
          Keep in memory
        </Button>
        <span className={styles.spacer} />
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          disabled={folder === undefined}
          onClick={() => folder !== undefined && void openPaths({ paths, facts: folder })}
        >
          Store here
        </Button>
      </div>
    </>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly description?: string;
  readonly action: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => Promise<void>;
  readonly isDisabled?: boolean;
}

function NameForm({ label, description, action, value, onChange, onSubmit, isDisabled = false }: NameFormProps) {
  const isReady = !isDisabled && value.trim() !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={label}
        {...(description !== undefined && { description })}
        value={value}
        data-autofocus
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Actions action={action} isDisabled={!isReady} />
    </form>
  );
}

interface ActionsProps {
  readonly action: string;
  readonly isDisabled: boolean;
  /** Submits the form by default. */
  readonly onAction?: () => unknown;
}

function Actions({ action, isDisabled, onAction }: ActionsProps) {
  return (
    <div className={styles.actions}>
      <span className={styles.spacer} />
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button
        type={onAction === undefined ? 'submit' : 'button'}
        disabled={isDisabled}
        onClick={() => void onAction?.()}
      >
        {action}
      </Button>
    </div>
  );
}

interface PlacesProps {
  /** Called with the shown folder. */
  readonly onFolder?: (folder: string) => void;
  readonly onFile?: (path: string) => void;
  readonly selected?: readonly string[];
}

/** The folders and modules in a folder of the server's machine. */
function Places({ onFolder, onFile, selected = [] }: PlacesProps) {
  const project = useProject();
  const [folder, setFolder] = useState(project?.folder ?? undefined);
  const [typed, setTyped] = useState<string>();
  const places = useQuery({
    queryKey: ['places', folder],
    queryFn: async ({ signal }) => {
      const { result } = await api.places({ ...(folder !== undefined && { folder }), signal });
      onFolder?.(result.folder);
      return result;
    },
    staleTime: 0,
    retry: false,
  });
  const go = (next: string): void => {
    setFolder(next);
    setTyped(undefined);
  };
  const { data } = places;
  const pathOf = (name: string): string => `${data?.folder.replace(/\/$/, '')}/${name}`;
  return (
    <section aria-label="Folders and modules" className={styles.places}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed !== undefined) go(typed);
        }}
      >
        <TextInput
          label="Folder"
          classNames={{ input: 'mono' }}
          value={typed ?? data?.folder ?? folder ?? ''}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      {places.isPending && <LoadingRows rows={6} />}
      {places.isError && <FailureView error={places.error} />}
      {data !== undefined && (
        <ul className={styles.list}>
          {data.parent !== null && (
            <li>
              <button type="button" className="plain row" onClick={() => go(data.parent ?? '/')}>
                <IconFolderUp size={16} aria-hidden /> Parent folder
              </button>
            </li>
          )}
          {data.folders.map((name) => (
            <li key={name}>
              <button type="button" className="plain row" onClick={() => go(pathOf(name))}>
                <IconFolder size={16} aria-hidden /> {name}
              </button>
            </li>
          ))}
          {data.files.map((name) => (
            <li key={name}>
              {onFile === undefined ? (
                <span className="row dim">
                  <IconFile size={16} aria-hidden /> {name}
                </span>
              ) : (
                <button
                  type="button"
                  className="plain row"
                  aria-pressed={selected.includes(pathOf(name))}
                  onClick={() => onFile(pathOf(name))}
                >
                  <IconFile size={16} aria-hidden /> {name}
                </button>
              )}
            </li>
          ))}
          {data.folders.length + data.files.length === 0 && <li className="dim">No folders or modules here</li>}
        </ul>
      )}
    </section>
  );
}
