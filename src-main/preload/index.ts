/** Runs before the page, in its sandbox: exposes `window.entailHost` with a few named requests, and nothing of Electron. */

import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { EntailHostBridge } from '../../src-renderer/host/electron-host.js';
import type { Edit, RuntimeState } from '../../src-renderer/host/host.js';
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
  GET_WINDOWS,
  GO_TO,
  OPEN_DROPPED_FILES,
  OPEN_FILES,
  OPEN_FOLDER,
  OPEN_RECENT,
  REPLACE_TOKEN,
  REPORT_MENU,
  RUN_HOST_COMMAND,
  RUNTIME_STATE,
  SAVE_AS,
  SELECT_PROJECTS_FOLDER,
  SHOW_FOLDER,
  SHOW_TOKEN,
  SHOW_WINDOW,
} from '../bridge-channels.js';

function follow<Sent>(channel: string, callback: (sent: Sent) => void): () => void {
  const listener = (_event: IpcRendererEvent, sent: Sent): void => callback(sent);
  ipcRenderer.on(channel, listener);
  return () => ipcRenderer.removeListener(channel, listener);
}

/** Keeps what arrives before the page listens: a menu may open a window for a command. */
function followFromStart<Sent>(channel: string): (callback: (sent: Sent) => void) => () => void {
  const early: Sent[] = [];
  let listener: ((sent: Sent) => void) | undefined;
  ipcRenderer.on(channel, (_event, sent: Sent) => {
    if (listener === undefined) early.push(sent);
    else listener(sent);
  });
  return (callback) => {
    listener = callback;
    for (const sent of early.splice(0)) callback(sent);
    return () => {
      listener = undefined;
    };
  };
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
  desktop: {
    system: process.platform === 'darwin' ? 'mac' : 'others',
    run: (command) => ipcRenderer.invoke(RUN_HOST_COMMAND, command),
    reportMenu: (state) => ipcRenderer.invoke(REPORT_MENU, state),
    windows: () => ipcRenderer.invoke(GET_WINDOWS),
    showWindow: (id) => ipcRenderer.invoke(SHOW_WINDOW, id),
  },
  // The page has a File without its path; a File that the page created has none.
  openDroppedFiles: (files) =>
    ipcRenderer.invoke(
      OPEN_DROPPED_FILES,
      files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== ''),
    ),
  settings: {
    choices: () => ipcRenderer.invoke(GET_SETTINGS),
    change: (choices) => ipcRenderer.invoke(CHANGE_SETTINGS, choices),
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
  onGoTo: followFromStart(GO_TO),
  onCommand: followFromStart(COMMAND),
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
