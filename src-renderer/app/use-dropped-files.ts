/** Opens files dropped on the page. Otherwise a browser would leave the page, and a desktop window would do nothing. */

import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { host } from '../host/current-host.js';
import { logLocation } from '../model/facts/locations.js';
import { useOpenDropped } from '../workspace/open-module.js';

/** Used once, by the shell. Drops that a part of the page handles, such as an import, are left to it. */
export function useDroppedFiles(): void {
  const openModule = useOpenDropped();
  const navigate = useNavigate();
  const open = async (files: readonly File[]): Promise<void> => {
    const [first] = files;
    // A desktop window serves a repro bundle like a module. A page of another server shows it in Log.
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
