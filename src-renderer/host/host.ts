/** What the page may ask of whoever shows it: one interface that Electron and a browser each fulfil. */

export interface RuntimeState {
  readonly state: 'starting' | 'ready' | 'restarting' | 'failed';
  /** One sentence, where there is something to say. */
  readonly message?: string;
}

/** Where the runtime is, as only a host on the same machine may say. */
export interface RuntimePlace {
  /** The bare origin under which other programs reach the API; undefined while no runtime answers. */
  readonly address: string | undefined;
  readonly dataDirectory: string | undefined;
}

/** What a menu of the host asks of the field or editor that has the focus. */
export type Edit = 'undo' | 'redo' | 'selectAll';

export interface Host {
  readonly kind: 'electron' | 'browser';
  /** Sent with every request; undefined in Electron, where the main process adds it and the page never sees it. */
  readonly token: string | undefined;
  /** Asks for module files and opens them; false where nothing was chosen. Undefined where the host cannot. */
  readonly openModuleFiles: (() => Promise<boolean>) | undefined;
  /** Opens files that were let go over the page. Undefined where the host cannot. */
  readonly openDroppedFiles: ((files: readonly File[]) => Promise<void>) | undefined;
  /** Undefined in a browser, where the page's own address is the runtime's and the machine's folders are not told. */
  readonly runtimePlace: (() => Promise<RuntimePlace>) | undefined;
  /** Puts the API token on the clipboard. */
  copyToken(): Promise<boolean>;
  /** Calls back when the runtime starts, dies or comes back; returns how to stop. */
  onRuntimeState(callback: (state: RuntimeState) => void): () => void;
  /** Calls back with an address of the page that the host's menu asks for; returns how to stop. */
  onGoTo(callback: (place: string) => void): () => void;
  /** Calls back with an edit that the host's menu asks for; returns how to stop. */
  onEdit(callback: (edit: Edit) => void): () => void;
}
