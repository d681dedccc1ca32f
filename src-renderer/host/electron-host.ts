/** The host of the page in Electron, through the bridge that the preload script exposes as `window.entailHost`. */

import type { Edit, Host, MenuCommand, ProjectDialogs, RuntimePlace, RuntimeState } from './host.js';

export interface EntailHostBridge {
  readonly kind: 'electron';
  readonly projects: ProjectDialogs;
  openDroppedFiles(files: readonly File[]): Promise<void>;
  copyToken(): Promise<boolean>;
  runtimePlace(): Promise<RuntimePlace>;
  onRuntimeState(callback: (state: RuntimeState) => void): () => void;
  onGoTo(callback: (place: string) => void): () => void;
  onCommand(callback: (command: MenuCommand) => void): () => void;
  onEdit(callback: (edit: Edit) => void): () => void;
}

declare global {
  interface Window {
    readonly entailHost?: EntailHostBridge;
  }
}

export function electronHost(): Host | undefined {
  const bridge = window.entailHost;
  if (bridge === undefined) return undefined;
  return {
    kind: 'electron',
    token: undefined,
    projects: bridge.projects,
    openDroppedFiles: (files) => bridge.openDroppedFiles(files),
    copyToken: () => bridge.copyToken(),
    runtimePlace: () => bridge.runtimePlace(),
    onRuntimeState: (callback) => bridge.onRuntimeState(callback),
    onGoTo: (callback) => bridge.onGoTo(callback),
    onCommand: (callback) => bridge.onCommand(callback),
    onEdit: (callback) => bridge.onEdit(callback),
  };
}
