/** Runs before the page, in its sandbox: exposes `window.entailHost` with a few named requests, and nothing of Electron. */

import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { EntailHostBridge } from '../../src-renderer/host/electron-host.js';
import type { Edit, MenuCommand, RuntimeState } from '../../src-renderer/host/host.js';
import {
  CHANGE_SETTINGS,
  COMMAND,
  COPY_COMMAND,
  COPY_TOKEN,
  DELETE_OLD_FACTS,
  EDIT,
  GET_OLD_FACTS,
  GET_PROJECTS_FOLDER,
  GET_RECENT,
  GET_RUNTIME_PLACE,
  GET_RUNTIME_STATE,
  GET_SETTINGS,
  GO_TO,
  OPEN_DROPPED_FILES,
  OPEN_FILES,
  OPEN_FOLDER,
  OPEN_RECENT,
  REPLACE_TOKEN,
  RUNTIME_STATE,
  SAVE_AS,
  SELECT_PROJECTS_FOLDER,
  SHOW_FOLDER,
  SHOW_TOKEN,
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
  desktop: {
    settings: () => ipcRenderer.invoke(GET_SETTINGS),
    changeSettings: (choices) => ipcRenderer.invoke(CHANGE_SETTINGS, choices),
    showToken: () => ipcRenderer.invoke(SHOW_TOKEN),
    replaceToken: () => ipcRenderer.invoke(REPLACE_TOKEN),
    projectsFolder: () => ipcRenderer.invoke(GET_PROJECTS_FOLDER),
    selectProjectsFolder: () => ipcRenderer.invoke(SELECT_PROJECTS_FOLDER),
    openFolder: (folder) => ipcRenderer.invoke(SHOW_FOLDER, folder),
    oldFacts: () => ipcRenderer.invoke(GET_OLD_FACTS),
    deleteOldFacts: (folder) => ipcRenderer.invoke(DELETE_OLD_FACTS, folder),
  },
  copyToken: () => ipcRenderer.invoke(COPY_TOKEN),
  copyCommand: (command) => ipcRenderer.invoke(COPY_COMMAND, command),
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
