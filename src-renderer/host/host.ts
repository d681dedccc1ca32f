/** What the page needs from its host: one interface, implemented for Electron and for a browser. */

import type { Capability, Limits } from '../../src-runtime/api/schemas/health-schemas.js';
import type { HostCommandId, MenuState } from './menus.js';

export interface RuntimeState {
  readonly state: 'starting' | 'ready' | 'restarting' | 'failed';
  /** One sentence, if there is something to report. */
  readonly message?: string;
  /** The file or folder of facts that prevents a start. */
  readonly place?: string;
}

/** Where the runtime is. Only a host on the same machine knows. */
export interface RuntimePlace {
  /** The origin at which other programs reach the API; undefined while the runtime does not answer. */
  readonly address: string | undefined;
}

/** Files, or one folder. */
export interface RecentProject {
  readonly paths: readonly string[];
  /** The first path, as short as its name is unique. */
  readonly name: string;
}

/** The dialogs and the list of a host that opens projects itself. */
export interface ProjectDialogs {
  /** Shows a file dialog and opens the selected files; false if it was cancelled. */
  openFiles(): Promise<boolean>;
  openFolder(): Promise<boolean>;
  /** Copies the project to a folder that a dialog asks for. */
  saveAs(): Promise<boolean>;
  recent(): Promise<readonly RecentProject[]>;
  openRecent(paths: readonly string[]): Promise<void>;
}

/** What the user of the desktop sets. An absent setting has its default. */
export interface ServerChoices {
  /** The port for other programs; by default any free one. */
  readonly port?: number | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly grant?: readonly Capability[] | undefined;
  readonly adhoc?: boolean | undefined;
  /** Megabytes of heap of each runtime; by default by the memory of the machine. */
  readonly memoryMb?: number | undefined;
  /** How many requests the log keeps. */
  readonly logRequests?: number | undefined;
  readonly logLevel?: 'error' | 'warn' | 'info' | 'debug' | undefined;
  /** The address of a folder with updates, instead of the package's. */
  readonly updateFeed?: string | undefined;
  /** The folder of new projects. */
  readonly projects?: string | undefined;
}

/** Facts that an earlier version stored in the user's folder of the application. */
export interface OldFacts {
  readonly folder: string;
  readonly modules: readonly string[];
  readonly changedAt: string;
  readonly bytes: number;
}

export type DesktopFolder = 'logs' | 'projects' | 'facts';

/** Settings and folders of the desktop. */
export interface HostSettings {
  choices(): Promise<ServerChoices>;
  /** Saves the settings and restarts the servers of all windows. */
  change(choices: ServerChoices): Promise<void>;
  /** Shows the token in a dialog of the host: the page never has it. */
  showToken(): Promise<void>;
  /** Asks first. Other programs need the new token from then on. Returns false if it was cancelled. */
  replaceToken(): Promise<boolean>;
  /** Where new projects are stored. */
  projectsFolder(): Promise<string>;
  /** Undefined if the dialog was cancelled. */
  selectProjectsFolder(): Promise<string | undefined>;
  openFolder(folder: DesktopFolder): Promise<void>;
  oldFacts(): Promise<readonly OldFacts[]>;
  /** Moves the folder to the trash, after a question. Returns false if it was cancelled. */
  deleteOldFacts(folder: string): Promise<boolean>;
}

export interface OpenWindow {
  readonly id: number;
  readonly title: string;
}

/** The native menus and windows. */
export interface Desktop {
  readonly system: 'mac' | 'others';
  run(command: HostCommandId): Promise<void>;
  /** Reports what the menus show while the window of this page is in front. */
  reportMenu(state: MenuState): Promise<void>;
  /** The other windows. */
  windows(): Promise<readonly OpenWindow[]>;
  showWindow(id: number): Promise<void>;
}

/** A command of the context menu for the focused field or editor. */
export type Edit = 'undo' | 'redo' | 'selectAll';

export interface Host {
  readonly kind: 'electron' | 'browser';
  /** Sent with every request. Undefined in Electron, where the main process adds it. */
  readonly token: string | undefined;
  /** Undefined in a browser, where the page opens projects through the API. */
  readonly projects: ProjectDialogs | undefined;
  /** Undefined in a browser. */
  readonly desktop: Desktop | undefined;
  /** Opens files that were dropped on the page. Undefined in a browser. */
  readonly openDroppedFiles: ((files: readonly File[]) => Promise<void>) | undefined;
  /** Undefined in a browser, where the page's own address is the runtime's. */
  readonly runtimePlace: (() => Promise<RuntimePlace>) | undefined;
  /** Settings of the desktop. Undefined in a browser. */
  readonly settings: HostSettings | undefined;
  /** Copies the API token. */
  copyToken(): Promise<boolean>;
  /**
   * Copies a shell command after a line that sets the variables `ENTAIL_TOKEN` and `ENTAIL_URL` which it reads. Undefined in a
   * browser, whose user started the server and has the token.
   */
  readonly copyCommand: ((command: string) => Promise<void>) | undefined;
  /** Calls back when the runtime starts, stops or restarts. Returns how to unsubscribe. */
  onRuntimeState(callback: (state: RuntimeState) => void): () => void;
  /** Calls back with the page address that a menu command opens. Returns how to unsubscribe. */
  onGoTo(callback: (place: string) => void): () => void;
  /** Calls back with the id of a command of the page that a menu runs. Returns how to unsubscribe. */
  onCommand(callback: (command: string) => void): () => void;
  /** Calls back with a command of the context menu for the focused field. Returns how to unsubscribe. */
  onEdit(callback: (edit: Edit) => void): () => void;
}
