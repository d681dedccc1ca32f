/**
 * Checks that the recorded responses of a scope are those of one ledger to which all operations happened one after the other, each
 * between its request and its response (linearizability).
 *
 * The numbers of the final history are the order of the writes. So no order has to be searched for: each write is explained by the
 * state before it, or not. A response without a number (a read, a refusal, a write without effect) needs a state between what had to be
 * seen and what could not be seen yet (`reads.ts`).
 *
 * Finds: acknowledged writes that are lost, doubled, incomplete or different; refused writes that were kept; writes that build on an
 * old state; stale and torn reads, including reads behind what another client has seen; refusals without a reason; derived answers that
 * differ from an evaluation by the model; numbers that are missing or used twice; facts that a rename left behind.
 *
 * Does not find: faults that no response and no stored fact shows; errors that model and module share; archives, which the clients do
 * not create. Discarding a fork, promoting one without changes and labels have no number: they are checked for each fork
 * separately (`fork-registers.ts`), not in one order with the facts. So is the edition of the module. The scope's version in
 * responses, where a server sends it, must never fall, whatever raised it.
 */

import { isDeepStrictEqual } from 'node:util';
import type { StoredTransaction } from '../../src-runtime/storage/event-store.js';
import { checkForks } from './fork-registers.js';
import { createsFork, firstNameOf, forkOf } from './ledger.js';
import { expected } from './model.js';
import { checkReads, EXPLAINED, momentOf, type Positioned, texts } from './reads.js';
import { type Deployed, FAILED, type Finding, type Recorded } from './record.js';
import { checkRegister } from './registers.js';
import { type Change, type ScopeHistory, Timeline, withErased, withNames } from './timeline.js';

/** They are checked by the status of the fork. */
const OF_FORKS = new Set(['SVC_RUNTIME_FORK_CLOSED', 'SVC_RUNTIME_FORK_NOT_FOUND']);

/** `namedBy` is the edition that renamed declarations last. */
export function checkScope(
  stored: ScopeHistory,
  records: readonly Recorded[],
  deployed: readonly Deployed[] = [],
  namedBy = 0,
): readonly Finding[] {
  const numbering = checkNumbering(stored);
  // Without an order of the writes, nothing else can be checked.
  if (numbering.length > 0) return numbering;
  const { history: renamed, findings } = checkNames(stored, namedBy);
  const history = withErased(renamed, records);
  const timeline = new Timeline(history);
  const writes = positioned(history, records);
  return [
    ...findings,
    ...checkOnce(history, records),
    ...checkTransactions(history, records, timeline),
    ...checkOrder(writes),
    ...checkReads(writes, records, timeline, history),
    ...checkForks(history, records),
    ...checkVersions(records),
    ...checkModule(writes, records, deployed),
    ...records.filter(isUnexpected).map((record) => ({
      rule: 'unexpected failure' as const,
      message: 'No operation of the clients is refused with this code.',
      operations: [record],
    })),
  ];
}

function isUnexpected({ answer }: Recorded): boolean {
  return answer.kind === 'refused' && !EXPLAINED.has(answer.code) && !OF_FORKS.has(answer.code);
}

/** Transactions and forks share one numbering without gaps, and so do events. */
function checkNumbering({ forks, transactions }: ScopeHistory): Finding[] {
  const entries = [
    ...forks.map((fork) => ({ txn: fork.txn, fork })),
    ...transactions.map((transaction) => ({ txn: transaction.txn, transaction })),
  ].sort((one, other) => one.txn - other.txn);
  const findings: Finding[] = [];
  const report = (message: string) => findings.push({ rule: 'numbering', message, operations: [] });
  let seq = 0;
  for (const [index, entry] of entries.entries()) {
    if (entry.txn !== index + 1) {
      report(`Number ${index + 1} is followed by ${entry.txn} in the history.`);
      break;
    }
    if ('fork' in entry) {
      const { fork, baseSeq } = entry.fork;
      if (baseSeq !== seq) report(`Fork ${fork} sees events up to ${baseSeq}, but was created after event ${seq}.`);
      continue;
    }
    for (const event of entry.transaction.events) {
      if (event.seq !== seq + 1) report(`Event ${seq} is followed by event ${event.seq} of transaction ${entry.txn}.`);
      seq = event.seq;
    }
  }
  return findings.slice(0, 1);
}

/** All names are those of the last rename. Returns the history with the names of the first edition, which the model uses. */
function checkNames(
  stored: ScopeHistory,
  namedBy: number,
): { readonly history: ScopeHistory; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const history = withNames(stored, (path, txn) => {
    const first = firstNameOf(path);
    if (first === undefined) return path;
    if (first.namedBy !== namedBy) {
      const message = `Transaction ${txn} has "${path}", but edition ${namedBy} renamed it last.`;
      findings.push({ rule: 'name', message, operations: [] });
    }
    return first.path;
  });
  return { history, findings: findings.slice(0, 1) };
}

/** The operations with a number in the history. Creating a fork has one too. */
function positioned({ forks, transactions }: ScopeHistory, records: readonly Recorded[]): readonly Positioned[] {
  const txns = new Map(transactions.map(({ principal, txn }) => [principal, txn]));
  const created = new Map(forks.map(({ fork, txn }) => [fork, txn]));
  return records
    .flatMap((record) => {
      const { operation, id } = record;
      const txn = createsFork(operation) ? created.get(forkOf(operation)) : txns.get(id);
      return txn === undefined ? [] : [{ record, txn }];
    })
    .sort((one, other) => one.txn - other.txn);
}

/** Acknowledged writes are in the history once and under their number, refused ones never, unknown ones at most once. */
function checkOnce({ forks, transactions }: ScopeHistory, records: readonly Recorded[]): Finding[] {
  const findings: Finding[] = [];
  const byPrincipal = new Map<string | null, StoredTransaction[]>();
  for (const transaction of transactions) {
    const { principal } = transaction;
    byPrincipal.set(principal, [...(byPrincipal.get(principal) ?? []), transaction]);
  }
  const created = new Set(forks.map(({ fork }) => fork));
  for (const record of records) {
    const { id, operation, answer } = record;
    const found = byPrincipal.get(id) ?? [];
    byPrincipal.delete(id);
    const report = (rule: Finding['rule'], message: string) => findings.push({ rule, message, operations: [record] });
    const numbers = found.map(({ txn }) => txn).join(' and ');
    const isKept = createsFork(operation) ? created.has(forkOf(operation)) : found.length > 0;
    if (found.length > 1) report('doubled', `The history has it ${found.length} times, as transactions ${numbers}.`);
    if (answer.kind === 'failed' || answer.kind === 'refused') {
      // A refusal to create a fork that exists is a matter of the fork.
      if (isKept && !createsFork(operation)) {
        report('kept although refused', `It was refused, but the history has it as transaction ${numbers}.`);
      }
    }
    if (answer.kind !== 'ok') continue;
    if (createsFork(operation) && !isKept) report('lost', 'The history lacks the fork.');
    const [kept] = found;
    if (typeof answer.txn === 'number') {
      if (kept === undefined) report('lost', `The history lacks the acknowledged transaction ${answer.txn}.`);
      else if (kept.txn !== answer.txn)
        report('lost', `It was acknowledged as ${answer.txn}, but the history has it as ${kept.txn}.`);
      else {
        const seqs = kept.events.map(({ seq }) => seq);
        if (answer.seqs !== undefined && !isDeepStrictEqual(seqs, answer.seqs)) {
          report('lost', `It was acknowledged with the events ${answer.seqs}, but the history has ${seqs}.`);
        }
      }
    } else if (found.length > 0) {
      report(
        'kept although refused',
        `It was acknowledged without a change, but the history has it as transaction ${numbers}.`,
      );
    }
  }
  for (const [principal, [transaction]] of byPrincipal) {
    const message = `Transaction ${transaction?.txn} is of "${principal}", which no client sent.`;
    findings.push({ rule: 'doubled', message, operations: [] });
  }
  return findings;
}

/** Each transaction changes what the model changes in the state before it, and was answered accordingly. */
function checkTransactions(
  { forks, transactions }: ScopeHistory,
  records: readonly Recorded[],
  timeline: Timeline,
): Finding[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return transactions
    .flatMap((transaction): Finding[] => {
      const record = byId.get(transaction.principal ?? '');
      if (record === undefined) return [];
      const { txn, events } = transaction;
      const created = events.flatMap((event) => (event.kind === 'insertIndividual' ? [event.id] : []));
      const predicted = expected(record.operation, timeline.at(txn - 1), { created });
      const report = (message: string): Finding[] => [
        { rule: 'unexplained transaction', message, operations: [record] },
      ];
      if (predicted.kind === 'refused') {
        return report(`Transaction ${txn} should have been refused with ${predicted.code}, given the state before it.`);
      }
      const changes = timeline.at(txn).changesOf(txn) ?? [];
      if (!isDeepStrictEqual(asMap(changes), asMap(predicted.changes))) {
        return report(
          `Transaction ${txn} changed ${texts(changes)}; given the state before it, it should have changed ${texts(predicted.changes)}.`,
        );
      }
      const { answer } = record;
      if (answer.kind === 'ok' && !answer.isEmptied && !isDeepStrictEqual(answer.result, predicted.result)) {
        return report(`Given the state before transaction ${txn}, the result is ${JSON.stringify(predicted.result)}.`);
      }
      return [];
    })
    .concat(checkEmptyRebases(forks, records, timeline));
}

/** A rebase without a transaction had no changes to repeat. */
function checkEmptyRebases(forks: ScopeHistory['forks'], records: readonly Recorded[], timeline: Timeline): Finding[] {
  const created = new Map(forks.map(({ fork, txn }) => [fork, txn]));
  return records.flatMap((record): Finding[] => {
    const { operation, answer } = record;
    if (operation.kind !== 'rebase' || answer.kind !== 'ok' || answer.txn !== null) return [];
    const txn = created.get(operation.fork);
    const predicted = txn === undefined ? undefined : expected(operation, timeline.at(txn));
    if (predicted?.kind !== 'ok' || predicted.changes.length === 0) return [];
    const message = `The rebase wrote nothing; it should have changed ${texts(predicted.changes)}.`;
    return [{ rule: 'unexplained response', message, operations: [record] }];
  });
}

/** The module is a register of all scopes. Transactions follow its editions in order. */
function checkModule(
  writes: readonly Positioned[],
  records: readonly Recorded[],
  deployed: readonly Deployed[],
): Finding[] {
  const report = (message: string, operations: readonly Recorded[]): Finding[] => [
    { rule: 'module', message, operations },
  ];
  const latest = new Map<number, Recorded>();
  let before: Recorded | undefined;
  for (const { record } of writes) {
    const edition = editionOf(record);
    if (edition === undefined || 'isRepeated' in record.answer) continue;
    const earlier = latest.get(edition);
    latest.set(edition, record);
    if (earlier !== undefined && before !== undefined && earlier !== before) {
      const message = `Edition ${edition} accepted a transaction after edition ${editionOf(before)} had replaced it.`;
      return report(message, [earlier, before, record]);
    }
    before = record;
  }
  const reads = records.flatMap((record) => {
    const { invokedMs, completedMs } = record;
    const value = editionOf(record);
    return value === undefined ? [] : [{ value, isWrite: false, invokedMs, completedMs, record }];
  });
  const written = deployed.map(({ edition: value, ...times }) => ({
    value,
    isWrite: true,
    ...times,
    record: undefined,
  }));
  const conflict = checkRegister<number, (typeof reads)[number] | (typeof written)[number]>(0, [...written, ...reads]);
  if (conflict === undefined) return [];
  const editions = conflict.uses.map(({ value, isWrite, invokedMs, completedMs }) => {
    return `${value} (${isWrite ? 'deployed' : 'seen'} from ${invokedMs.toFixed(1)} to ${completedMs.toFixed(1)} ms)`;
  });
  return report(
    `No order of these editions explains what was seen: ${editions.join(', ')}.`,
    conflict.uses.flatMap(({ record }) => record ?? []),
  );
}

/** No deployment is refused. If the one before it failed, it may have had the names of an earlier edition. */
export function checkDeployments(deployed: readonly Deployed[]): Finding[] {
  return deployed.flatMap(({ edition, code, failure }, index): Finding[] => {
    if (code === undefined || FAILED.has(code) || deployed[index - 1]?.failure !== undefined) return [];
    const message = `The deployment of edition ${edition} was refused: ${failure}`;
    return [{ rule: 'unexpected failure', message, operations: [] }];
  });
}

function editionOf({ answer }: Recorded): number | undefined {
  return 'edition' in answer ? answer.edition : undefined;
}

function asMap(changes: readonly Change[]): ReadonlyMap<string, Change['after']> {
  return new Map(changes.map(({ key, after }) => [key, after]));
}

/** If one write was acknowledged before another was sent, it has the lower number. */
function checkOrder(writes: readonly Positioned[]): Finding[] {
  let latest: Positioned | undefined;
  for (const write of writes) {
    if (latest !== undefined && write.record.completedMs < latest.record.invokedMs) {
      const message = `Transaction ${write.txn} was acknowledged before transaction ${latest.txn} was sent.`;
      return [{ rule: 'real-time order', message, operations: [write.record, latest.record] }];
    }
    if (latest === undefined || write.record.invokedMs > latest.record.invokedMs) latest = write;
  }
  return [];
}

/** A response never has a lower version of the scope than one that was complete before its request. */
function checkVersions(records: readonly Recorded[]): Finding[] {
  const versioned = records.flatMap((record) => {
    const { answer } = record;
    if ((answer.kind !== 'ok' && answer.kind !== 'refused') || answer.version === undefined) return [];
    return momentOf(record) === undefined ? [{ record, version: answer.version }] : [];
  });
  const byInvocation = [...versioned].sort((one, other) => one.record.invokedMs - other.record.invokedMs);
  const byCompletion = [...versioned].sort((one, other) => one.record.completedMs - other.record.completedMs);
  let next = 0;
  let highest: (typeof versioned)[number] | undefined;
  for (const each of byInvocation) {
    for (
      let done = byCompletion[next];
      done !== undefined && done.record.completedMs < each.record.invokedMs;
      done = byCompletion[++next]
    ) {
      if (highest === undefined || done.version > highest.version) highest = done;
    }
    if (highest === undefined || highest.version <= each.version) continue;
    const message = `Version ${each.version} came after version ${highest.version}.`;
    return [{ rule: 'version', message, operations: [highest.record, each.record] }];
  }
  return [];
}
