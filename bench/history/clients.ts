/** Clients that call random operations on random servers, one at a time each, and record when and how each was answered. */

import { setTimeout as pause } from 'node:timers/promises';
import { choose, finalReads, type Known, learn } from './choices.js';
import { type Body, type Connection, Lost, NotSent, openConnection, type Received } from './http.js';
import { callOf, forkStateOf, type Operation, resultOf } from './ledger.js';
import { type Random, seeded } from './random.js';
import { type Answer, FAILED, type Recorded } from './record.js';

const ACCOUNTS = 8;
const COUNTERS = 3;
const OPENING_BALANCE = 100;
/** A client stays with a server for a while, because connections are kept alive. */
const CHANGE_SERVER = 0.1;
const SEND_VERSION = 0.3;
/** How often a lost write is sent again. */
const RETRIES = 4;
/** After a failure. A server that cannot reach its database fails at once. */
const REST_MS = 100;
const RETRIED = /^\/v1\/(dispatch\/mutation|batch)$/;

export interface Traffic {
  readonly ports: readonly number[];
  readonly tenants: readonly string[];
  readonly clients: number;
  /** Sends a lost write again, under its `Idempotency-Key`. */
  readonly retries: boolean;
  /** The edition of the module with a hash. */
  readonly editionOf: (moduleHash: string) => number | undefined;
  /** Records the scope's versions in responses, and sends them back. */
  readonly versions: boolean;
  readonly random: Random;
}

interface Caller {
  readonly connection: Connection;
  /** The server that the next request goes to. */
  server: number;
  readonly random: Random;
  /** The last version of each tenant's scope that it has seen. */
  readonly versions: Map<string, number>;
}

export class Clients {
  /** By tenant. */
  readonly records: ReadonlyMap<string, Recorded[]>;
  /** Reads without a response, which show nothing. */
  lostReads = 0;
  readonly #traffic: Traffic;
  readonly #known: Known[] = [];
  #lastId = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
    this.records = new Map(traffic.tenants.map((tenant) => [tenant, []]));
  }

  /** Sets up the ledger of each tenant, for which the servers must work. */
  async setUp(): Promise<void> {
    const caller = this.#caller(this.#traffic.random);
    for (const tenant of this.#traffic.tenants) {
      const operations: Operation[] = [
        ...Array.from({ length: ACCOUNTS }, (_, index) => index).map(
          (index) => ({ kind: 'open', owner: `owner-${index}`, balance: OPENING_BALANCE }) as const,
        ),
        ...Array.from({ length: COUNTERS }, (_, index) => ({ kind: 'start', name: `counter-${index}` }) as const),
      ];
      for (const operation of operations) {
        const answer = (await this.#perform(caller, tenant, operation))?.answer;
        if (answer?.kind !== 'ok') throw new Error(`The ledger cannot be set up: ${JSON.stringify(answer)}`);
      }
      // The only writer so far gets the first numbers.
      const ids = operations.map((_, index) => `#i${index + 1}`);
      const [accounts, counters] = [ids.slice(0, ACCOUNTS), ids.slice(ACCOUNTS)];
      this.#known.push({ tenant, accounts, counters, ...NOTHING_KNOWN() });
    }
    caller.connection.close();
  }

  /** Calls random operations until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { clients, random } = this.#traffic;
    const callers = Array.from({ length: clients }, () => this.#caller(seeded(random.int(2 ** 31))));
    await Promise.all(callers.map((caller) => this.#runClient(caller, signal)));
  }

  /** Reads everything once more, on each server. */
  async readAll(): Promise<void> {
    const caller = this.#caller(this.#traffic.random);
    for (const of of this.#known) {
      for (const server of this.#traffic.ports.keys()) {
        caller.server = server;
        for (const operation of finalReads(of)) await this.#perform(caller, of.tenant, operation);
      }
    }
    caller.connection.close();
  }

  async #runClient(caller: Caller, signal: AbortSignal): Promise<void> {
    const { random, connection } = caller;
    while (!signal.aborted) {
      if (random.next() < CHANGE_SERVER) this.#changeServer(caller);
      const of = this.#known[random.int(this.#known.length)] as Known;
      const record = await this.#perform(caller, of.tenant, (id) => choose(of, id, random));
      if (record !== undefined) learn(of, record);
      if (record === undefined || record.answer.kind === 'failed' || record.answer.kind === 'unknown') {
        this.#changeServer(caller);
        await pause(REST_MS);
      }
    }
    connection.close();
  }

  /** Returns undefined if no server got the request, or if it is a read without a response. */
  async #perform(
    caller: Caller,
    tenant: string,
    asked: Operation | ((id: string) => Operation),
  ): Promise<Recorded | undefined> {
    this.#lastId += 1;
    const id = `op-${this.#lastId}`;
    const operation = typeof asked === 'function' ? asked(id) : asked;
    const call = callOf(operation);
    const version = caller.random.next() < SEND_VERSION ? caller.versions.get(tenant) : undefined;
    const isRetried = this.#traffic.retries && RETRIED.test(call.path);
    const headers = {
      'x-tenant-id': tenant,
      'x-principal-id': id,
      ...(call.fork !== undefined && { 'x-fork-id': call.fork }),
      ...(version !== undefined && { 'x-scope-version': String(version) }),
      ...(isRetried && { 'idempotency-key': id }),
    };
    const invokedMs = performance.now();
    let answer: Answer | undefined;
    for (let attempt = 0; ; attempt += 1) {
      const port = this.#traffic.ports[caller.server] ?? 0;
      const latest = await answerTo(caller.connection, port, operation, { ...call, headers }, this.#traffic);
      // Only a success shows the outcome of an earlier attempt, which may still be running.
      if (answer?.kind !== 'unknown') answer = latest;
      else if (latest?.kind === 'ok') answer = repeated(latest);
      if (answer?.kind !== 'unknown' || !isRetried || attempt === RETRIES) break;
      this.#changeServer(caller);
      await pause(REST_MS);
    }
    if (answer === undefined) return undefined;
    if (answer.kind === 'unknown' && READS.has(operation.kind)) {
      this.lostReads += 1;
      return undefined;
    }
    if ('version' in answer && answer.version !== undefined) caller.versions.set(tenant, answer.version);
    const completedMs = answer.kind === 'unknown' ? Number.POSITIVE_INFINITY : performance.now();
    const record = { id, operation, server: caller.server, invokedMs, completedMs, answer };
    this.records.get(tenant)?.push(record);
    return record;
  }

  #caller(random: Random): Caller {
    const server = random.int(this.#traffic.ports.length);
    return { connection: openConnection(), server, random, versions: new Map() };
  }

  #changeServer(caller: Caller): void {
    caller.server = caller.random.int(this.#traffic.ports.length);
  }
}

function repeated({ seqs, ...answer }: Extract<Answer, { kind: 'ok' }>): Answer {
  const isEmptied = typeof answer.txn === 'number' && seqs?.length === 0;
  return { ...answer, isRepeated: true, ...(isEmptied ? { isEmptied } : seqs && { seqs }) };
}

const READS = new Set<Operation['kind']>([
  'fork',
  'guests',
  'balances',
  'audit',
  'items',
  'holder',
  'counters',
  'derived',
]);

const NOTHING_KNOWN = () => ({
  ...{ forks: [], promoted: [], guests: [], undoable: [], pickable: [] },
  ...{ txn: 0, moment: 0, count: 0 },
});

/** Undefined if no server got the request. */
async function answerTo(
  connection: Connection,
  port: number,
  operation: Operation,
  sent: Parameters<Connection['send']>[1],
  { versions, editionOf }: Traffic,
): Promise<Answer | undefined> {
  try {
    const { version, ...received } = await connection.send(port, sent);
    const edition = editionOf(received.body.moduleHash ?? '');
    const seen = { ...(versions && version !== undefined && { version }), ...(edition !== undefined && { edition }) };
    return answerOf(operation, received, seen);
  } catch (error) {
    if (error instanceof NotSent) return undefined;
    if (error instanceof Lost) return { kind: 'unknown', reason: error.message };
    throw error;
  }
}

function answerOf(
  operation: Operation,
  { status, body }: Pick<Received, 'status' | 'body'>,
  seen: { readonly version?: number; readonly edition?: number },
): Answer {
  if (status >= 400 || body.error !== undefined) {
    const { code = String(status), message = '' } = body.error ?? {};
    if (!FAILED.has(code)) return { kind: 'refused', code, reason: message, ...seen };
    return /may have been kept/.test(message)
      ? { kind: 'unknown', reason: message }
      : { kind: 'failed', code, reason: message };
  }
  const { txn, events } = operation.kind === 'pair' ? wholeBatch(body) : body;
  const fork = forkStateOf(operation, body);
  return {
    kind: 'ok',
    result: resultOf(operation, body),
    ...(txn !== undefined && { txn }),
    ...(events !== undefined && { seqs: events.map(({ seq }) => seq) }),
    ...(fork !== undefined && { fork }),
    ...seen,
  };
}

/** The steps of a batch are one transaction. */
function wholeBatch({ result }: Body): Pick<Body, 'txn' | 'events'> {
  const steps = result as unknown as readonly Required<Pick<Body, 'txn' | 'events'>>[];
  return { txn: steps[0]?.txn ?? null, events: steps.flatMap(({ events }) => events) };
}
