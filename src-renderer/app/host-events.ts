/** What the host and the desktop send to the page: navigation, commands of the Edit menu, and dropped files. */

import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { host } from '../host/current-host.js';
import type { Edit } from '../host/host.js';
import { logLocation } from '../model/facts/locations.js';

/** Used once, by the shell. */
export function useHostEvents(): void {
  useHostNavigation();
  useMenuEdits();
  useMenuCommands();
  useDroppedFiles();
}

function useHostNavigation(): void {
  const navigate = useNavigate();
  useEffect(() => host.onGoTo((place) => void navigate(place)), [navigate]);
}

function useMenuCommands(): void {
  useEffect(
    () =>
      host.onCommand((command) => {
        void import('./project-commands.js').then(({ runMenuCommand }) => runMenuCommand(command));
      }),
    [],
  );
}

/**
 * Runs Undo, Redo and Select All of the desktop menus as key presses, so that an editor or grid uses its own history.
 * If no part of the page handles the keys, the browser's command acts on the focused field.
 */
function useMenuEdits(): void {
  useEffect(() => host.onEdit(runEdit), []);
}

let queuedEdit: Edit | undefined;

/** Runs an edit of the palette, which has the focus itself, once `runQueuedEdit` says that the focus is back. */
export function queueEdit(edit: Edit): void {
  queuedEdit = edit;
}

export function runQueuedEdit(): void {
  if (queuedEdit !== undefined) runEdit(queuedEdit);
  queuedEdit = undefined;
}

function runEdit(edit: Edit): void {
  const target = document.activeElement ?? document.body;
  if (!KEYS[edit].some((keys) => isHandled(target, keys))) document.execCommand(edit);
}

function isHandled(target: Element, { code, shiftKey = false }: Keys): boolean {
  const letter = code.slice(3);
  const isMac = navigator.platform.startsWith('Mac');
  const event = new KeyboardEvent('keydown', {
    key: shiftKey ? letter : letter.toLowerCase(),
    code,
    // Editors tell shifted letters by the key code.
    keyCode: letter.charCodeAt(0),
    ctrlKey: !isMac,
    metaKey: isMac,
    shiftKey,
    bubbles: true,
    cancelable: true,
  });
  return !target.dispatchEvent(event);
}

interface Keys {
  readonly code: 'KeyA' | 'KeyY' | 'KeyZ';
  readonly shiftKey?: boolean;
}

/** Some editors redo with Ctrl+Shift+Z, others with Ctrl+Y. */
const KEYS: Readonly<Record<Edit, readonly Keys[]>> = {
  undo: [{ code: 'KeyZ' }],
  redo: [{ code: 'KeyZ', shiftKey: true }, { code: 'KeyY' }],
  selectAll: [{ code: 'KeyA' }],
};

/**
 * Opens files dropped on the page. Otherwise a browser would leave the page, and a desktop window would do nothing.
 * Drops that a part of the page handles, such as an import, are left to it.
 */
function useDroppedFiles(): void {
  const navigate = useNavigate();
  const open = async (files: readonly File[]): Promise<void> => {
    const [first] = files;
    // A desktop window serves a repro bundle like a module. A page of another server shows it in Log.
    if (first?.name.endsWith('.repro.json') !== true || host.kind === 'electron') {
      const { openDropped } = await import('../workspace/open-project.js');
      return await openDropped(files);
    }
    const { openBundleFile } = await import('../panels/log/bundle/opened-bundle.js');
    await openBundleFile(first);
    await navigate(logLocation());
  };
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    const take = (event: DragEvent): readonly File[] => {
      const { dataTransfer, defaultPrevented } = event;
      if (defaultPrevented || dataTransfer?.types.includes('Files') !== true) return [];
      event.preventDefault();
      return [...dataTransfer.files];
    };
    const onDrop = (event: DragEvent): void => {
      const files = take(event);
      if (files.length > 0) void latest.current(files);
    };
    // An editor would insert the text of the file.
    const onDropInEditor = (event: DragEvent): void => {
      if (!(event.target instanceof Element) || event.target.closest('.cm-editor') === null) return;
      onDrop(event);
      if (event.defaultPrevented) event.stopPropagation();
    };
    window.addEventListener('dragover', take);
    window.addEventListener('drop', onDropInEditor, { capture: true });
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', take);
      window.removeEventListener('drop', onDropInEditor, { capture: true });
      window.removeEventListener('drop', onDrop);
    };
  }, []);
}
