/** Text that is put behind the module's as a draft, where it is seen before it is saved. */

import { useNavigate } from 'react-router';
import { moduleLocation } from '../model/facts/locations.js';
import { useModuleInfo } from '../server-state/queries.js';
import { drafts, withText } from './drafts.js';
import { useWorkFiles } from './workspace.js';

/** The file that the module was loaded from; of no module, the only file. */
export function useFileOfModule(module: string | undefined): string | undefined {
  const { files } = useWorkFiles();
  const { data } = useModuleInfo();
  if (module !== undefined) return data?.modules.find(({ name }) => name === module)?.file;
  return files.length === 1 ? files[0]?.file : undefined;
}

interface ModuleEnd {
  readonly file: string;
  /** The file with the text behind what is there. */
  readonly textWith: (text: string) => string;
  /** Goes there, too. */
  readonly append: (text: string) => void;
}

/** Undefined where there are no sources to be changed, or several that it might belong to and none is named. */
export function useModuleEnd(module?: string): ModuleEnd | undefined {
  const { files, readOnly } = useWorkFiles();
  const own = useFileOfModule(module);
  const navigate = useNavigate();
  const file = files.find((each) => each.file === own);
  if (file === undefined || readOnly) return undefined;
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
