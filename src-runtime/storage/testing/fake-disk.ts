/**
 * A disk in memory whose every operation can fail or be the last. It keeps apart what was written from what was synced,
 * so that a killed process and a loss of power leave different things behind.
 */

import type { Files, OpenFile } from '../files.js';

/** The one directory that the disk has. */
export const FAKE_DIRECTORY = '/data';

/** At which operation (counted from 1) something happens, and how much of that operation is done when it does. */
export interface Incident {
  readonly atOperation: number;
  readonly done: 'nothing' | 'half' | 'all';
  /** `crash`: no operation works any more. `full`: this one reports ENOSPC, the next ones work. */
  readonly kind: 'crash' | 'full';
  /** How many operations in a row are refused, the later ones with nothing done; 1 unless given. */
  readonly operations?: number;
}

/**
 * How much of an operation is done at a crash, and which causes then leave different disks. A complete operation leaves the same disk
 * as none of the next one, and power loss discards half-written data.
 */
export const CRASHES = [
  ['nothing', ['killed', 'power lost']],
  ['half', ['killed']],
] as const;

interface Inode {
  readonly id: number;
  written: Uint8Array;
  synced: Uint8Array;
}

export class FakeDisk {
  operations = 0;
  readonly synced: string[] = [];
  #incident: Incident | undefined;
  #isDead = false;
  #inodes = 0;
  #names = new Map<string, Inode>();
  #syncedNames = new Map<string, Inode>();

  constructor(incident?: Incident) {
    this.#incident = incident;
  }

  /** From now on the incident counts from this operation. */
  expect(incident: Incident | undefined): void {
    this.operations = 0;
    this.#incident = incident;
  }

  /** What the next process finds. */
  afterwards(cause: 'killed' | 'power lost'): FakeDisk {
    const disk = new FakeDisk();
    for (const [path, inode] of cause === 'killed' ? this.#names : this.#syncedNames) {
      disk.put(path, cause === 'killed' ? inode.written : inode.synced);
    }
    return disk;
  }

  put(path: string, bytes: Uint8Array): void {
    const inode = { id: this.#nextId(), written: bytes.slice(), synced: bytes.slice() };
    this.#names.set(path, inode);
    this.#syncedNames.set(path, inode);
  }

  bytes(path: string): Uint8Array {
    return this.#inode(path).written;
  }

  paths(): readonly string[] {
    return [...this.#names.keys()].sort();
  }

  readonly files: Files = {
    makeDirectory: () => this.#operation(() => undefined),
    list: (directory) => this.#operation(() => this.#listed(directory)),
    read: (path) => this.#operation(() => this.#inode(path).written.slice(), 'read'),
    create: async (path) => {
      await this.#operation(() => {
        const existing = this.#names.get(path);
        if (existing) existing.written = new Uint8Array();
        else this.#names.set(path, { id: this.#nextId(), written: new Uint8Array(), synced: new Uint8Array() });
      });
      return this.#openFile(path);
    },
    open: async (path) => this.#openFile(path),
    rename: (from, to) =>
      this.#operation(() => {
        this.#names.set(to, this.#inode(from));
        this.#names.delete(from);
      }),
    remove: (path) => this.#operation(() => void this.#names.delete(path)),
    syncDirectory: () =>
      this.#operation(() => {
        this.#syncedNames = new Map(this.#names);
      }),
    target: async (path) => ({ path, mode: undefined }),
    identity: async (path) => {
      return path === FAKE_DIRECTORY ? 'directory' : this.#names.get(path)?.id.toString();
    },
  };

  #openFile(path: string): OpenFile {
    const inode = this.#inode(path);
    return {
      write: (bytes, position) =>
        this.#operation((done) => {
          const part = bytes.subarray(0, done === 'half' ? bytes.length >> 1 : bytes.length);
          const grown = new Uint8Array(Math.max(inode.written.length, position + part.length));
          grown.set(inode.written);
          grown.set(part, position);
          inode.written = grown;
        }),
      truncate: (length) =>
        this.#operation(() => {
          inode.written = inode.written.slice(0, length);
        }),
      sync: () =>
        this.#operation(() => {
          inode.synced = inode.written.slice();
          this.synced.push(path);
        }),
      identity: async () => inode.id.toString(),
      setMode: async () => undefined,
      close: async () => undefined,
    };
  }

  /** A full disk can be read. */
  async #operation<Result>(perform: (done: 'half' | 'all') => Result, kind?: 'read'): Promise<Result> {
    if (this.#isDead) throw new Error('the process is dead');
    this.operations += 1;
    const incident = this.#incident;
    const since = this.operations - (incident?.atOperation ?? Number.POSITIVE_INFINITY);
    const isSpared = kind === 'read' && incident?.kind === 'full';
    if (incident === undefined || isSpared || since < 0 || since >= (incident.operations ?? 1)) return perform('all');
    if (incident.done !== 'nothing' && since === 0) perform(incident.done);
    this.#isDead = incident.kind === 'crash';
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  }

  #listed(directory: string): readonly string[] {
    const prefix = `${directory}/`;
    return this.paths()
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length));
  }

  #inode(path: string): Inode {
    const inode = this.#names.get(path);
    if (inode === undefined) throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
    return inode;
  }

  #nextId(): number {
    this.#inodes += 1;
    return this.#inodes;
  }
}
