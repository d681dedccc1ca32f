/** What the page needs from its host: one interface, implemented for Electron and for a browser. */

export interface RuntimeState {
  readonly state: 'starting' | 'ready' | 'restarting' | 'failed';
  /** One sentence, if there is something to report. */
  readonly message?: string;
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

/** A command of the page that a menu of the host runs. */
export type MenuCommand = 'new' | 'addFile' | 'rename' | 'close' | 'tour' | `sample:${string}`;

/** A command of the host's menu for the focused field or editor. */
export type Edit = 'undo' | 'redo' | 'selectAll';

export interface Host {
  readonly kind: 'electron' | 'browser';
  /** Sent with every request. Undefined in Electron, where the main process adds it. */
  readonly token: string | undefined;
  /** Undefined in a browser, where the page opens projects through the API. */
  readonly projects: ProjectDialogs | undefined;
  /** Opens files that were dropped on the page. Undefined in a browser. */
  readonly openDroppedFiles: ((files: readonly File[]) => Promise<void>) | undefined;
  /** Undefined in a browser, where the page's own address is the runtime's. */
  readonly runtimePlace: (() => Promise<RuntimePlace>) | undefined;
  /** Copies the API token. */
  copyToken(): Promise<boolean>;
  /** Calls back when the runtime starts, stops or restarts. Returns how to unsubscribe. */
  onRuntimeState(callback: (state: RuntimeState) => void): () => void;
  /** Calls back with the page address that a menu command opens. Returns how to unsubscribe. */
  onGoTo(callback: (place: string) => void): () => void;
  /** Calls back with a command of the page that a menu runs. Returns how to unsubscribe. */
  onCommand(callback: (command: MenuCommand) => void): () => void;
  /** Calls back with a menu command for the focused field. Returns how to unsubscribe. */
  onEdit(callback: (edit: Edit) => void): () => void;
}
