/**
 * Learns of what other servers write. NOTIFY says it soon, where the database has it. Positions are asked for now and then in any case,
 * because a notification may be lost.
 */

import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { StorageLog } from '../errors.js';
import type { Position } from '../event-store.js';
import { clientOptions, driver } from './connections.js';
import { connectionFailure } from './failures.js';

const CHANNEL = 'entail_changed';

/** Scopes written to within this time are notified of at once. As a part of each commit, NOTIFY would let commits wait for each other. */
const GATHER_MS = 5;

/** PostgreSQL's payloads have at most 8,000 bytes. */
const PAYLOAD_SCOPES = 100;

/** A deployment is served, and a bounded read sees what was written, within a second, although a notification may be lost. */
const POLL_MS = { listening: 900, listeningMax: 5_000, otherwise: 500 };
/** With more open scopes, a server that listens polls less often: ten thousand positions take 70 ms of the database's CPU. */
const POSITIONS_A_SECOND = 2_000;
const RECONNECT_MS = { first: 100, max: 5_000 };

/** A scope, or undefined for a deployment. */
type Changed = string | undefined;

interface Notification {
  /** The server that has written. */
  readonly from: string;
  /** Null for a deployment. */
  readonly scopes: readonly (string | null)[];
}

export interface FeedSource {
  positions(scopeIds: readonly string[]): Promise<ReadonlyMap<string, Position>>;
  lastDeployment(): Promise<number>;
}

export class ChangeFeed {
  readonly #log: StorageLog;
  readonly #url: string;
  readonly #source: FeedSource;
  readonly #server = randomUUID();
  readonly #callbacks = new Set<(changed: Changed) => void>();
  /** The scopes that this server has opened, with their positions then or at the last poll. */
  readonly #followed = new Map<string, Position>();
  #deployment: number | undefined;
  #unsent = new Set<Changed>();
  /** The connection that listens. */
  #client: Client | undefined;
  #state: 'new' | 'running' | 'closed' = 'new';
  readonly #timers = new Map<'poll' | 'send' | 'reconnect', NodeJS.Timeout>();

  constructor(url: string, source: FeedSource, log: StorageLog) {
    this.#log = log;
    this.#url = url;
    this.#source = source;
  }

  subscribe(callback: (changed: Changed) => void): () => void {
    this.#callbacks.add(callback);
    if (this.#state === 'new') {
      this.#state = 'running';
      void this.#listen(RECONNECT_MS.first);
      this.#after('poll', POLL_MS.otherwise, () => this.#poll());
    }
    return () => this.#callbacks.delete(callback);
  }

  /** Polls the scope too, which this server has read up to the position. */
  follow(scopeId: string, at: Position): void {
    this.#followed.set(scopeId, at);
  }

  /** Tells other servers. */
  tell(changed: Changed): void {
    if (this.#client === undefined) return;
    this.#unsent.add(changed);
    if (!this.#timers.has('send')) this.#after('send', GATHER_MS, () => this.#send());
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#callbacks.clear();
    await this.#client?.end().catch(() => undefined);
  }

  /** Without LISTEN, polling is all. */
  async #listen(againMs: number): Promise<void> {
    let isBroken = false;
    const breaks = (): void => {
      if (isBroken) return;
      isBroken = true;
      this.#client = undefined;
      void client?.end().catch(() => undefined);
      this.#after('reconnect', againMs, () => this.#listen(Math.min(2 * againMs, RECONNECT_MS.max)));
    };
    let client: Client | undefined;
    try {
      const { Client } = await driver();
      client = new Client(await clientOptions(this.#url));
      client.on('error', breaks);
      client.on('end', breaks);
      client.on('notification', ({ payload }) => this.#receive(payload));
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      // Nobody waits for the disk because of a notification.
      await client.query('SET synchronous_commit = off').catch(() => undefined);
      if (this.#state === 'closed') await client.end();
      else this.#client = client;
    } catch (error) {
      const { message } = connectionFailure(error, this.#url);
      this.#log.warn({ reason: message }, 'cannot listen to the database; polling finds what other servers write');
      breaks();
      return;
    }
    // What was missed meanwhile.
    await this.#poll();
  }

  #receive(payload: string | undefined): void {
    const { from, scopes } = JSON.parse(payload ?? '{}') as Partial<Notification>;
    if (from === this.#server) return;
    for (const scope of scopes ?? []) this.#call(scope ?? undefined);
  }

  async #send(): Promise<void> {
    const all = [...this.#unsent].map((changed) => changed ?? null);
    this.#unsent = new Set();
    for (let start = 0; start < all.length; start += PAYLOAD_SCOPES) {
      const notification: Notification = { from: this.#server, scopes: all.slice(start, start + PAYLOAD_SCOPES) };
      // The others poll.
      await this.#client
        ?.query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(notification)])
        .catch(() => undefined);
    }
  }

  async #poll(): Promise<void> {
    try {
      const deployment = await this.#source.lastDeployment();
      if (deployment !== (this.#deployment ?? deployment)) this.#call(undefined);
      this.#deployment = deployment;
      const positions = await this.#source.positions([...this.#followed.keys()]);
      for (const [scopeId, before] of this.#followed) {
        const now = positions.get(scopeId);
        if (now === undefined || (before.version === now.version && before.epoch === now.epoch)) continue;
        this.#followed.set(scopeId, now);
        this.#call(scopeId);
      }
    } catch {
      // The next poll asks again.
    }
    this.#after('poll', this.#pollMs(), () => this.#poll());
  }

  #pollMs(): number {
    if (this.#client === undefined) return POLL_MS.otherwise;
    const wantedMs = (1_000 * this.#followed.size) / POSITIONS_A_SECOND;
    return Math.min(Math.max(wantedMs, POLL_MS.listening), POLL_MS.listeningMax);
  }

  #call(changed: Changed): void {
    for (const callback of this.#callbacks) callback(changed);
  }

  #after(name: 'poll' | 'send' | 'reconnect', ms: number, work: () => Promise<void>): void {
    clearTimeout(this.#timers.get(name));
    if (this.#state === 'closed') return;
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      void work();
    }, ms);
    timer.unref();
    this.#timers.set(name, timer);
  }
}
