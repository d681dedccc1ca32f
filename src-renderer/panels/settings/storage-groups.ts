/** Groups of what the page stores in the browser. Clearing a group can be undone. */

import { ownKey } from '../../state/page-storage.js';

const PREFIX = 'entail.';
const UNDO_KEY = 'entail.forgotten';

export interface StorageGroup {
  readonly name: string;
  readonly description: string;
  readonly keys: readonly string[];
}

export const STORAGE_GROUPS: readonly Pick<StorageGroup, 'name' | 'description'>[] = [
  { name: 'Drafts', description: 'Unsaved changes in source files' },
  { name: 'Arguments and queries', description: 'Forms, ad-hoc queries and call history' },
  { name: 'Context', description: 'The selected fork and tenant' },
  { name: 'Shortcuts', description: 'Custom shortcuts' },
  { name: 'Layout', description: 'Pane sizes, row density, open panes, the tour and recent commands' },
];

/** Groups with at least one stored key. */
export function storageGroups(storage: Storage): StorageGroup[] {
  const keys = ownKeys(storage);
  return STORAGE_GROUPS.map((group) => ({ ...group, keys: keys.filter((key) => groupOf(key) === group.name) })).filter(
    (group) => group.keys.length > 0,
  );
}

const TYPED =
  /^(additions|asking|batch|calls|edit|environment|explained|forks\.(new|pick|promotion|text|update)|history|import|pinned|queries|staged|texts|trials|variables)\b/;

/** Those of this project and those of all. Mantine and the pane library use prefixed keys. */
function ownKeys(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter(
    (key) => ownKey(key) !== undefined && (key.startsWith(PREFIX) || key.includes(`:${PREFIX}`)),
  );
}

function groupOf(key: string): string {
  if (key.includes(`:${PREFIX}`)) return 'Layout';
  const name = (ownKey(key) ?? key).slice(PREFIX.length);
  if (/^(drafts|held)\b/.test(name)) return 'Drafts';
  if (TYPED.test(name)) return 'Arguments and queries';
  if (name === 'fork' || name === 'context') return 'Context';
  return name === 'shortcuts' ? 'Shortcuts' : 'Layout';
}

/** Removes the keys from both storages, and notes their values in `session` until the next clear or until the tab closes. */
export function clearKeys(storage: Storage, session: Storage, keys: readonly string[]): void {
  session.setItem(UNDO_KEY, JSON.stringify(keys.map((key) => [key, session.getItem(key) ?? storage.getItem(key)])));
  for (const key of keys) for (const each of [storage, session]) each.removeItem(key);
}

export function canUndo(undo: Storage): boolean {
  return undo.getItem(UNDO_KEY) !== null;
}

/** Restores what was cleared last. */
export function undoClear(storage: Storage, undo: Storage): void {
  const pairs = JSON.parse(undo.getItem(UNDO_KEY) ?? '[]') as [string, string | null][];
  for (const [key, value] of pairs) if (value !== null) storage.setItem(key, value);
  undo.removeItem(UNDO_KEY);
}
