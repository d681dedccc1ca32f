/** Text that is put behind the module's as a draft, where it is seen before it is saved. */

import { useNavigate } from 'react-router';
import { drafts, withText } from './drafts.js';
import { moduleLocation } from './locations.js';
import { useWorkFiles } from './workspace.js';

interface ModuleEnd {
  readonly file: string;
  /** The file with the text behind what is there. */
  readonly textWith: (text: string) => string;
  /** Goes there, too. */
  readonly append: (text: string) => void;
}

/** Undefined where there are no sources to be changed, or several that it might belong to. */
export function useModuleEnd(): ModuleEnd | undefined {
  const { files, readOnly } = useWorkFiles();
  const navigate = useNavigate();
  const [file, ...others] = files;
  if (file === undefined || others.length > 0 || readOnly) return undefined;
  const textWith = (text: string): string => `${file.text.trimEnd()}\n\n${text.trimEnd()}\n`;
  return {
    file: file.file,
    textWith,
    append(text) {
      const next = textWith(text);
      drafts.update((current) => withText(current, file.file, next, file.saved));
      const line = next.split('\n').length - text.trimEnd().split('\n').length;
      void navigate(moduleLocation({ file: file.file, start: { line, column: 1, offset: 0 } }));
    },
  };
}
