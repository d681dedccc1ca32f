/** Runs before the page, in its sandbox: exposes `window.entailHost` with a few named requests, and nothing of Electron. */

import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { EntailHostBridge } from '../../src-renderer/host/electron-host.js';
import type { Edit, MenuCommand, RuntimeState } from '../../src-renderer/host/host.js';
import {
  COMMAND,
  COPY_TOKEN,
  EDIT,
  GET_RECENT,
  GET_RUNTIME_PLACE,
  GET_RUNTIME_STATE,
  GO_TO,
  OPEN_DROPPED_FILES,
  OPEN_FILES,
  OPEN_FOLDER,
  OPEN_RECENT,
  RUNTIME_STATE,
  SAVE_AS,
} from '../bridge-channels.js';

function follow<Sent>(channel: string, callback: (sent: Sent) => void): () => void {
  const listener = (_event: IpcRendererEvent, sent: Sent): void => callback(sent);
  ipcRenderer.on(channel, listener);
  return () => ipcRenderer.removeListener(channel, listener);
}

const bridge: EntailHostBridge = {
  kind: 'electron',
  projects: {
    openFiles: () => ipcRenderer.invoke(OPEN_FILES),
    openFolder: () => ipcRenderer.invoke(OPEN_FOLDER),
    saveAs: () => ipcRenderer.invoke(SAVE_AS),
    recent: () => ipcRenderer.invoke(GET_RECENT),
    openRecent: (paths) => ipcRenderer.invoke(OPEN_RECENT, paths),
  },
  // The page has a File without its path; a File that the page created has none.
  openDroppedFiles: (files) =>
    ipcRenderer.invoke(
      OPEN_DROPPED_FILES,
      files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== ''),
    ),
  copyToken: () => ipcRenderer.invoke(COPY_TOKEN),
  runtimePlace: () => ipcRenderer.invoke(GET_RUNTIME_PLACE),
  onGoTo: (callback) => follow(GO_TO, callback),
  onCommand: (callback: (command: MenuCommand) => void) => follow(COMMAND, callback),
  onEdit: (callback: (edit: Edit) => void) => follow(EDIT, callback),
  onRuntimeState: (callback) => {
    let stopped = false;
    const listener = (_event: IpcRendererEvent, state: RuntimeState): void => callback(state);
    ipcRenderer.on(RUNTIME_STATE, listener);
    // Events from before the page listened are delivered immediately.
    ipcRenderer.invoke(GET_RUNTIME_STATE).then(
      (state: RuntimeState) => {
        if (!stopped) callback(state);
      },
      () => undefined,
    );
    return () => {
      stopped = true;
      ipcRenderer.removeListener(RUNTIME_STATE, listener);
    };
  },
};

contextBridge.exposeInMainWorld('entailHost', bridge);
