/** Files that are let go over the page are opened: a browser would leave the page for them, and a window would do nothing. */

import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { host } from '../host/current-host.js';
import { logLocation } from '../model/facts/locations.js';
import { useOpenDropped } from '../workspace/open-module.js';

/** Used once, by the shell. What a part of the page takes for itself, to import say, it has. */
export function useDroppedFiles(): void {
  const openModule = useOpenDropped();
  const navigate = useNavigate();
  const open = async (files: readonly File[]): Promise<void> => {
    const [first] = files;
    // A window serves a repro bundle as it does a module; a page of another server shows it.
    if (first?.name.endsWith('.repro.json') !== true || host.kind === 'electron') return await openModule(files);
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
    // An editor would write the text of the file into its own.
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
