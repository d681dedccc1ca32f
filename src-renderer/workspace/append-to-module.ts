/** Appends text to a module file as a draft, so that the user sees it before saving. */

import { useNavigate } from 'react-router';
import { moduleLocation } from '../model/facts/locations.js';
import { useModuleInfo } from '../server-state/module.js';
import { drafts, withText } from './drafts.js';
import { useWorkFiles } from './workspace.js';

/** The file of the named module. Without a name, the only file. */
export function useModuleFile(module: string | undefined): string | undefined {
  const { files } = useWorkFiles();
  const { data } = useModuleInfo();
  if (module !== undefined) return data?.modules.find(({ name }) => name === module)?.file;
  return files.length === 1 ? files[0]?.file : undefined;
}

interface ModuleEnd {
  readonly file: string;
  /** The file's text with `text` appended. */
  readonly textWith: (text: string) => string;
  /** Appends the text and opens it in the editor. */
  readonly append: (text: string) => void;
}

/** Undefined if there are no editable sources, or several files and no module is named. */
export function useAppendToModule(module?: string): ModuleEnd | undefined {
  const { files, readOnly } = useWorkFiles();
  const moduleFile = useModuleFile(module);
  const navigate = useNavigate();
  const file = files.find((each) => each.file === moduleFile);
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
