/** What the host and the desktop send to the page: navigation, commands of the menus, and dropped files. */

import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { host } from '../host/current-host.js';
import { logLocation } from '../model/facts/locations.js';

/** Used once, by the shell. */
export function useHostEvents(): void {
  useHostNavigation();
  useContextMenuEdits();
  useMenuCommands();
  useDroppedFiles();
}

function useHostNavigation(): void {
  const navigate = useNavigate();
  useEffect(() => host.onGoTo((place) => void navigate(place)), [navigate]);
}

function useMenuCommands(): void {
  useEffect(
    () => host.onCommand((command) => void import('./menu-commands.js').then(({ runCommand }) => runCommand(command))),
    [],
  );
}

function useContextMenuEdits(): void {
  useEffect(() => host.onEdit((edit) => void import('./key-presses.js').then(({ runEdit }) => runEdit(edit))), []);
}

let waiting: (() => void) | undefined;

/** Runs a command that acts on the focused element, once the palette has given the focus back. */
export function runWithFocus(run: () => void): void {
  waiting = run;
}

export function runWaiting(): void {
  waiting?.();
  waiting = undefined;
}

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
