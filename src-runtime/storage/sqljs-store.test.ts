/** What callers of the default store can rely on, with real files. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, link, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from './database.js';
import type { Files } from './files.js';
import { openMemoryStore, openSqlJsStore } from './index.js';
import { encodeFrame, encodeJournalHeader } from './journal-format.js';
import { takeLock } from './lock.js';
import { openLocked } from './sqljs-store.js';
import { FAKE_DIRECTORY, FakeDisk } from './testing/fake-disk.js';
import {
  forgetting,
  forkRecord,
  history,
  rememberingLog,
  SCOPE,
  scopeRecord,
  transaction,
} from './testing/histories.js';
import { inTimeSlices } from './time-slices.js';

let directory: string;
const log = rememberingLog();

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'entail-storage-'));
  log.lines.length = 0;
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const openHere = () => openSqlJsStore({ directory, log });

async function writeThree(): Promise<string> {
  const store = await openHere();
  await store.createScope(scopeRecord);
  for (const txn of [1, 2, 3]) await store.append(SCOPE, [transaction(txn)]);
  await store.close();
  return join(directory, 'events-000001.journal');
}

it('opens a database of format 1, which had no forks', async () => {
  const { default: initSqlJs } = await import('sql.js');
  const old = new (await initSqlJs()).Database();
  old.run(`
    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);
    CREATE TABLE scopes (key INTEGER PRIMARY KEY, scope_id TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL,
      schema_hash TEXT NOT NULL, last_txn INTEGER NOT NULL DEFAULT 0, last_seq INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE forks (scope INTEGER NOT NULL REFERENCES scopes, fork TEXT NOT NULL, parent TEXT,
      base_seq INTEGER NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL, closed_at TEXT, UNIQUE (scope, fork));
    CREATE TABLE transactions (scope INTEGER NOT NULL REFERENCES scopes, fork TEXT NOT NULL, txn INTEGER NOT NULL,
      at TEXT NOT NULL, cause TEXT NOT NULL, principal TEXT, events TEXT NOT NULL, UNIQUE (scope, fork, txn));
    INSERT INTO meta VALUES ('format', 1), ('sequence', 0);
    INSERT INTO scopes (scope_id, tenant, schema_hash) VALUES ('${SCOPE}', 'acme', 'h1');
  `);
  const database = await openDatabase({ file: 'old', bytes: old.export() });
  const change = { kind: 'createFork', scopeId: SCOPE, fork: forkRecord(1) } as const;
  await inTimeSlices(database.apply([{ change, head: '', parts: [] }]));
  const again = await openDatabase({ file: 'new', bytes: database.exportBytes(1) });
  expect(again.forks(SCOPE)).toEqual([forkRecord(1)]);
});

it('holds no erased value in any file', async () => {
  const store = await openHere();
  await store.createScope(scopeRecord);
  await store.append(SCOPE, [transaction(1)]);
  await store.createFork(SCOPE, forkRecord(2));
  await store.append(SCOPE, [
    {
      ...transaction(3, 'what-if'),
      events: transaction(1, 'what-if', 7).events.map((event, at) => ({ ...event, seq: 5 + at })),
    },
  ]);
  await store.append(SCOPE, [{ ...forgetting(4, 1) }], {
    erasure: { individuals: ['#i1'], plainPositions: { name: [1] } },
  });
  for (const name of await readdir(directory)) {
    const bytes = await readFile(join(directory, name));
    expect([name, bytes.includes('Zoë 1.')]).toEqual([name, false]);
  }
  await store.close();
});

it('copies, cuts off, logs and reports a torn tail, and deletes the copy at the next erasure', async () => {
  const journal = await writeThree();
  const whole = await readFile(journal);
  const torn = whole.subarray(20, 100);
  await writeFile(journal, Buffer.concat([whole, torn]));
  const store = await openHere();
  expect(await history(store)).toEqual([transaction(1), transaction(2), transaction(3)]);
  const name = `events-000001-${whole.length}.torn`;
  expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { file: journal, kept: name } }]);
  expect(await readFile(join(directory, name))).toEqual(torn);
  expect(store.warnings).toEqual([expect.stringContaining(`kept in ${name}`)]);
  await store.close();
  const again = await openHere();
  expect(again.warnings).toHaveLength(1);
  await again.append(SCOPE, [forgetting(4, 1)], { erasure: { individuals: ['#i1'], plainPositions: {} } });
  expect(again.warnings).toEqual([]);
  expect(await readdir(directory)).not.toContain(name);
  await again.close();
});

it('refuses a journal whose last sector is zeroed', async () => {
  const store = await openHere();
  await store.createScope(scopeRecord);
  await store.append(SCOPE, [transaction(1, 'main', 3_000)]);
  await store.close();
  const journal = join(directory, 'events-000001.journal');
  const bytes = await readFile(journal);
  await writeFile(journal, bytes.fill(0, Math.floor(bytes.length / 512) * 512));
  await expect(openHere()).rejects.toThrow(/is damaged at offset \d+: its whole records end there/);
});

it('refuses a journal that was cut short while its process was killed', async () => {
  const disk = new FakeDisk();
  const unlocked = { check: async () => undefined, release: async () => undefined };
  const open = (on: FakeDisk) => openLocked({ directory: FAKE_DIRECTORY, log }, on.files, unlocked);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = await open(disk);
  await store.createScope(scopeRecord);
  for (const txn of [1, 2, 3]) await store.append(SCOPE, [transaction(txn)]);
  await vi.runAllTimersAsync();
  const path = `${FAKE_DIRECTORY}/events-000001.journal`;
  const bytes = Buffer.from(disk.bytes(path));
  const lastRecord = bytes.lastIndexOf(Buffer.from('FRME'));
  for (const length of [lastRecord, bytes.lastIndexOf(Buffer.from(']'))]) {
    const next = disk.afterwards('killed');
    next.put(path, next.bytes(path).subarray(0, length));
    await expect(open(next)).rejects.toThrow(`is damaged at offset ${lastRecord}`);
  }
});

it('goes on after a kill in a journal that had grown ahead of its records', async () => {
  const disk = new FakeDisk();
  const open = (on: FakeDisk) =>
    openLocked({ directory: FAKE_DIRECTORY, log }, on.files, {
      check: async () => undefined,
      release: async () => undefined,
    });
  const store = await open(disk);
  await store.createScope(scopeRecord);
  for (const txn of [1, 2]) await store.append(SCOPE, [transaction(txn)]);
  const path = `${FAKE_DIRECTORY}/events-000001.journal`;
  const next = disk.afterwards('killed');
  expect(next.bytes(path).length).toBeGreaterThan(60_000);
  const again = await open(next);
  expect(again.warnings).toEqual([]);
  await again.append(SCOPE, [transaction(3)]);
  await again.close();
  expect(next.paths()).toEqual([path, `${FAKE_DIRECTORY}/events-000001.synced`]);
  expect(next.bytes(path).length).toBeLessThan(5_000);
  expect(await history(await open(next))).toEqual([1, 2, 3].map((txn) => transaction(txn)));
});

it('reads short transactions of several scopes at once, after any number of them', async () => {
  const store = await openMemoryStore();
  const scopes = [SCOPE, 'second'];
  for (const scopeId of scopes) await store.createScope({ ...scopeRecord, scopeId });
  for (let txn = 1; txn <= 70; txn += 1) {
    for (const scopeId of scopes) await store.append(scopeId, [transaction(txn)]);
    const outOfOrder = store.append(SCOPE, [transaction(txn + 2)]);
    await expect(outOfOrder).rejects.toThrow(`its number does not follow ${txn}, the scope's last`);
    if (txn % 30 > 0 && txn !== 70) continue;
    expect(await history(store)).toEqual(Array.from({ length: txn }, (_, index) => transaction(index + 1)));
    expect(await store.lastNumbers('second')).toEqual(await store.lastNumbers(SCOPE));
  }
  await store.close();
});

it('refuses a journal without its synced length', async () => {
  await writeThree();
  await rm(join(directory, 'events-000001.synced'));
  await expect(openHere()).rejects.toThrow(/events-000001\.synced is missing/);
});

it('reads a journal of format 1, which has no synced length, and starts a new one', async () => {
  const header = Buffer.from(encodeJournalHeader(1));
  header.writeUInt32LE(1, 8);
  header.writeUInt32LE(crc32(header.subarray(0, 16)), 16);
  const changes = [
    { kind: 'createScope', record: scopeRecord },
    ...[1, 2, 3].map((txn) => ({ kind: 'append', scopeId: SCOPE, transaction: transaction(txn) })),
  ];
  const frames = await Promise.all(
    changes.map((change, at) => inTimeSlices(encodeFrame(at + 1, [JSON.stringify([change])]))),
  );
  await writeFile(join(directory, 'events-000001.journal'), Buffer.concat([header, ...frames]));
  const store = await openHere();
  expect(await history(store)).toHaveLength(3);
  await store.append(SCOPE, [transaction(4)]);
  await store.close();
  expect(await readdir(directory)).toContain('events-000002.synced');
  const again = await openHere();
  expect(await history(again)).toHaveLength(4);
  await again.close();
});

it('notices that a later journal is missing', async () => {
  const store = await openSqlJsStore({ directory, log, checkpointAfterBytes: 300 });
  await store.createScope(scopeRecord);
  for (const txn of [1, 2, 3, 4]) await store.append(SCOPE, [transaction(txn)]);
  await store.close();
  const names = (await readdir(directory)).filter((name) => name.endsWith('.journal'));
  await rm(join(directory, names.at(-1) ?? ''));
  await expect(openHere()).rejects.toThrow(/events-\d+\.journal is missing/);
});

it('refuses a journal with a flipped bit, names file and offset, and changes nothing', async () => {
  const journal = await writeThree();
  const good = await readFile(journal);
  for (const at of [0, 9, 30, 60, Math.floor(good.length / 2), good.length - 2]) {
    const bad = Buffer.from(good);
    bad[at] = (bad[at] ?? 0) ^ 0x10;
    await writeFile(journal, bad);
    await expect(openHere()).rejects.toThrow(/events-000001\.journal is damaged at offset \d+/);
    expect(await readFile(journal)).toEqual(bad);
    expect(await readdir(directory)).toEqual(['events-000001.journal', 'events-000001.synced']);
  }
});

it('allows one store per directory, in this process too, until it is closed', async () => {
  const store = await openHere();
  await expect(openHere()).rejects.toThrow(`in use by another Entail (process ${process.pid}); stop it`);
  await store.close();
  await (await openHere()).close();
});

it('takes over the lock of a killed process, and not that of a living one', async () => {
  const script = `const fs=require('fs');fs.writeFileSync(process.argv[1],JSON.stringify({pid:process.pid,host:require('os').hostname(),started:null}));process.kill(process.pid,'SIGKILL')`;
  expect(() => execFileSync(process.execPath, ['-e', script, join(directory, 'lock')], { stdio: 'ignore' })).toThrow();
  await (await openHere()).close();
  const living = { pid: process.ppid, host: (await import('node:os')).hostname(), started: null };
  await writeFile(join(directory, 'lock'), JSON.stringify(living));
  await expect(openHere()).rejects.toThrow(`in use by another Entail (process ${process.ppid});`);
});

it('takes over an empty lock file that no living process holds', async () => {
  await writeFile(join(directory, 'lock'), '');
  await (await openHere()).close();
  expect(await readdir(directory)).not.toContain('lock');
});

it.runIf(process.platform === 'linux')(
  'takes over the lock of a killed process that its parent has not collected',
  async () => {
    // The shell becomes `sleep`, which never collects its child.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      await writeFile(join(directory, 'lock'), JSON.stringify({ pid, host: hostname(), started: null, file: null }));
      await expect(openHere()).rejects.toThrow(`in use by another Entail (process ${pid});`);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
      await (await openHere()).close();
    } finally {
      parent.kill();
    }
  },
);

it('takes the lock on a full disk, and names its holder', async () => {
  const full = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
  const lock = await takeLock(directory, { write: full });
  await lock.check();
  await expect(takeLock(directory)).rejects.toThrow(`in use by another Entail (process ${process.pid}); stop it`);
  await lock.release();
  expect(await readdir(directory)).toEqual([]);
  // The id of a process that has ended.
  const aside = join(directory, `lock.${2 ** 22 + 1}.${hostname()}..1`);
  await writeFile(aside, '');
  await link(aside, join(directory, 'lock'));
  await (await takeLock(directory)).release();
  expect(await readdir(directory)).toEqual([]);
});

describe('without /proc', () => {
  const mac = { startOf: async () => undefined };
  const lockOf = (pid: number) =>
    writeFile(join(directory, 'lock'), JSON.stringify({ pid, host: hostname(), started: null, file: null }));

  it('takes over a lock whose process id belongs to a later process, as after a power cut', async () => {
    await lockOf(process.ppid);
    const later = { ...mac, startTimeOf: async () => new Date(Date.now() + 60_000) };
    await (await takeLock(directory, later)).release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('names the process that wrote the lock', async () => {
    await lockOf(process.ppid);
    const earlier = { ...mac, startTimeOf: async () => new Date(Date.now() - 60_000) };
    await expect(takeLock(directory, earlier)).rejects.toThrow(
      `in use by another Entail (process ${process.ppid}); stop it`,
    );
  });

  it('tells nobody to stop a process whose start is unknown', async () => {
    await lockOf(process.ppid);
    const unknown = { ...mac, startTimeOf: async () => undefined };
    await expect(takeLock(directory, unknown)).rejects.toThrow(
      `${directory} is in use by another Entail, or was left locked by one that crashed; remove ${join(directory, 'lock')} if no Entail uses the folder`,
    );
  });
});

describe('without hard links', () => {
  const link = () => Promise.reject(Object.assign(new Error('not supported'), { code: 'ENOTSUP' }));

  it('takes the lock, refuses another, and releases it', async () => {
    const lock = await takeLock(directory, { link });
    await lock.check();
    await expect(takeLock(directory, { link })).rejects.toThrow(
      `in use by another Entail (process ${process.pid}); stop it`,
    );
    await lock.release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('waits for a lock that another process is writing, and takes over an old empty one', async () => {
    const path = join(directory, 'lock');
    await writeFile(path, '');
    await expect(takeLock(directory, { link })).rejects.toThrow('in use by another process; try again');
    const old = new Date(Date.now() - 60_000);
    await utimes(path, old, old);
    await (await takeLock(directory, { link })).release();
    expect(await readdir(directory)).toEqual([]);
  });
});

it('reads on a full disk, also after a torn tail, and writes once there is room', async () => {
  const disk = new FakeDisk();
  const unlocked = { check: async () => undefined, release: async () => undefined };
  const first = await openLocked({ directory: FAKE_DIRECTORY, log }, disk.files, unlocked);
  await first.createScope(scopeRecord);
  await first.append(SCOPE, [transaction(1)]);
  await first.close();
  const path = `${FAKE_DIRECTORY}/events-000001.journal`;
  disk.put(path, Buffer.concat([disk.bytes(path), Buffer.from('FRM')]));
  const full = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
  let hasRoom = false;
  const files: Files = { ...disk.files, create: (...args) => (hasRoom ? disk.files.create(...args) : full()) };
  const store = await openLocked({ directory: FAKE_DIRECTORY, log }, files, unlocked);
  expect(await history(store)).toEqual([transaction(1)]);
  await expect(store.append(SCOPE, [transaction(2)])).rejects.toMatchObject({
    why: expect.stringContaining('is full'),
  });
  expect(store.warnings).toEqual([expect.stringContaining('cut off before the next write')]);
  hasRoom = true;
  await store.append(SCOPE, [transaction(2)]);
  expect(store.warnings).toEqual([expect.stringMatching(/kept in events-000001-\d+\.torn/)]);
  await store.close();
  const again = await openLocked({ directory: FAKE_DIRECTORY, log }, disk.files, unlocked);
  expect(await history(again)).toEqual([transaction(1), transaction(2)]);
  await again.close();
});

it('opens a copy of a directory while the original is in use', async () => {
  const store = await openHere();
  const copy = `${directory}-copy`;
  await cp(directory, copy, { recursive: true });
  const lock = JSON.parse(await readFile(join(copy, 'lock'), 'utf8'));
  await writeFile(join(copy, 'lock'), JSON.stringify({ ...lock, pid: process.ppid, started: null }));
  await (await openSqlJsStore({ directory: copy, log })).close();
  await rm(copy, { recursive: true });
  await store.close();
});

it('says that a path is a file', async () => {
  const path = join(directory, 'file');
  await writeFile(path, 'mine');
  await expect(openSqlJsStore({ directory: path, log })).rejects.toThrow(/is a file, or a part of that path is$/);
});

it('rejects probe and append as unreachable if the directory was removed or replaced', async () => {
  const store = await openHere();
  await store.createScope(scopeRecord);
  await expect(store.probe()).resolves.toBeUndefined();
  await rename(directory, `${directory}-moved`);
  await expect(store.probe()).rejects.toMatchObject({ name: 'StorageError', reason: 'unreachable' });
  await mkdir(directory);
  await expect(store.probe()).rejects.toMatchObject({ reason: 'unreachable' });
  await expect(store.append(SCOPE, [transaction(1)])).rejects.toMatchObject({ reason: 'unreachable' });
  await rm(directory, { recursive: true });
  await rename(`${directory}-moved`, directory);
  await expect(store.probe()).resolves.toBeUndefined();
  await store.append(SCOPE, [transaction(1)]);
  expect(await history(store)).toEqual([transaction(1)]);
  await store.close();
});
