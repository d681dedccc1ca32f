/** Runs commands that the native menus ask for, and reports which are available. Loaded on the desktop only. */

import { useEffect } from 'react';
import { host } from '../host/current-host.js';
import { createStore } from '../state/store.js';
import { useWorkFiles } from '../workspace/workspace.js';
import { type Command, useCommands, useListedCommands } from './commands.js';

/** Undefined until they are known. */
const available = createStore<readonly Command[] | undefined>(undefined);

/** Mounted once, by the shell. */
export function MenuCommands() {
  const commands = useCommands();
  const all = [...commands, ...useListedCommands()];
  const { files } = useWorkFiles();
  useEffect(() => available.set(all));
  const state = JSON.stringify({
    enabled: commands.map(({ id }) => id),
    checked: commands.filter(({ isOn }) => isOn === true).map(({ id }) => id),
    keys: Object.fromEntries(commands.filter(({ keys }) => keys !== '').map(({ id, keys }) => [id, keys])),
    edited: files.some(({ dirty }) => dirty),
  });
  useEffect(() => void host.desktop?.reportMenu(JSON.parse(state)), [state]);
  return null;
}

/** Waits for the commands if the page still loads. A command that is not available does nothing. */
export function runCommand(id: string): void {
  const commands = available.get();
  if (commands !== undefined) {
    void commands.find((command) => command.id === id)?.run();
    return;
  }
  const stop = available.subscribe(() => {
    stop();
    runCommand(id);
  });
}
