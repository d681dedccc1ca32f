/** The host of the page in Electron, through the bridge that the preload script exposes as `window.entailHost`. */

import type { Desktop, Edit, Host, HostSettings, ProjectDialogs, RuntimePlace, RuntimeState } from './host.js';

export interface EntailHostBridge {
  readonly kind: 'electron';
  readonly projects: ProjectDialogs;
  readonly desktop: Desktop;
  openDroppedFiles(files: readonly File[]): Promise<void>;
  readonly settings: HostSettings;
  copyToken(): Promise<boolean>;
  copyCommand(command: string): Promise<void>;
  runtimePlace(): Promise<RuntimePlace>;
  onRuntimeState(callback: (state: RuntimeState) => void): () => void;
  onGoTo(callback: (place: string) => void): () => void;
  onCommand(callback: (command: string) => void): () => void;
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
    desktop: bridge.desktop,
    openDroppedFiles: (files) => bridge.openDroppedFiles(files),
    settings: bridge.settings,
    copyToken: () => bridge.copyToken(),
    copyCommand: (command) => bridge.copyCommand(command),
    runtimePlace: () => bridge.runtimePlace(),
    onRuntimeState: (callback) => bridge.onRuntimeState(callback),
    onGoTo: (callback) => bridge.onGoTo(callback),
    onCommand: (callback) => bridge.onCommand(callback),
    onEdit: (callback) => bridge.onEdit(callback),
  };
}
