/** A save that is interrupted by a crash or refused: the next start serves the old module or the new one, with all facts. */

import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/errors.js';
import { noDeadline } from '../base/ports.js';
import { openLocked } from '../storage/sqljs-store.js';
import { CRASHES, FAKE_DIRECTORY, FakeDisk } from '../storage/testing/fake-disk.js';
import type { RequestFrame } from '../world/contract/requests.js';
import type { Runtime } from '../world/index.js';
import { createRuntime } from '../world/index.js';
import { mutate, query } from '../world/session/calls.js';
import { createLastModule } from './modules/last-module.js';
import { createModuleLoader, type ModuleLoader } from './modules/loader.js';
import { openModuleSource } from './modules/module-source.js';
import { DEFAULT_LIMITS, type Log } from './options.js';

const FRAME: RequestFrame = { headerContext: {}, bodyContext: {}, forks: [] };
const PATHS = ['a', 'b'].map((name) => `${FAKE_DIRECTORY}/${name}.entail`);
const moduleA = (field: string) =>
  `module a\npub concept Person { ${field}: Text }\npub query names() -> [Text] { select p.${field} where Person(p) order by p.${field} }\npub mutation add(name: Text) -> Person { return insert Person { ${field}: name } }\n`;
const moduleB = (relation: string) => `module b\npub relation ${relation}(n: Int)\n`;
const OLD = [
  { file: 'a.entail', text: moduleA('name') },
  { file: 'b.entail', text: moduleB('counted') },
];
const NEW = [
  { file: 'a.entail', text: moduleA('called') },
  { file: 'b.entail', text: moduleB('numbered') },
];
const RENAMES = [{ from: 'a::Person.name', to: 'a::Person.called' }];

interface Served {
  readonly runtime: Runtime;
  readonly loader: ModuleLoader;
  readonly refused: unknown;
  names(): Promise<unknown>;
  close(): Promise<void>;
}

async function serve(disk: FakeDisk, how = { isHeldToFacts: false, acceptsSchemaChange: false }): Promise<Served> {
  const log = { info: () => {}, warn: () => {} };
  const unlocked = { check: async () => undefined, release: async () => undefined };
  const store = await openLocked({ directory: FAKE_DIRECTORY, log }, disk.files, unlocked);
  const runtime = createRuntime({
    store,
    clock: { now: () => 0 },
    stopwatch: { now: () => 0 },
    createDeadline: () => noDeadline,
    log: { warn: () => {} },
    limits: DEFAULT_LIMITS,
    scopeIdBits: 128,
    acceptSchemaChange: how.acceptsSchemaChange,
    adhoc: true,
    cursorKey: new Uint8Array(32),
  });
  const last = createLastModule(FAKE_DIRECTORY, log as unknown as Log, undefined, disk.files);
  const loader = createModuleLoader(runtime, openModuleSource(PATHS, disk.files), last);
  const refused = await loader.start(how);
  const names = async () =>
    (await query(await runtime.enter(FRAME), 'a::names', {}, { limit: undefined, page: undefined }, noDeadline)).result;
  return { runtime, loader, refused, names, close: () => runtime.close() };
}

/** A disk with the old module and two facts, and a server on it. */
async function withFacts(): Promise<{ disk: FakeDisk; served: Served }> {
  const disk = new FakeDisk();
  for (const [at, path] of PATHS.entries()) disk.put(path, Buffer.from(OLD[at]?.text ?? ''));
  const served = await serve(disk);
  for (const name of ['Ada', 'Bo']) await add(served, name);
  disk.operations = 0;
  return { disk, served };
}

async function add({ runtime }: Served, name: string): Promise<void> {
  const session = await runtime.enter(FRAME);
  await mutate(session, 'a::add', { name }, { dryRun: false, granted: [] }, noDeadline);
}

const put = (disk: FakeDisk, files: readonly { file: string; text: string }[]) => {
  for (const { file, text } of files) disk.put(`${FAKE_DIRECTORY}/${file}`, Buffer.from(text));
};

const save = ({ loader }: Served, files = NEW, how: { readonly renames?: typeof RENAMES } = { renames: RENAMES }) =>
  loader.save(files, FRAME, how);

describe('a save that changes the schema', () => {
  async function countSaving(): Promise<number> {
    const { disk, served } = await withFacts();
    expect(await save(served)).toMatchObject({ saved: true, reloaded: true });
    const { operations } = disk;
    await served.close();
    return operations;
  }

  it.each(CRASHES)(
    'leaves the old module or the new one complete, with all facts, after a crash at any operation (%s done, process %j)',
    async (done, causes) => {
      const operations = await countSaving();
      expect(operations).toBeGreaterThan(20);
      const outcomes = new Set<string>();
      for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
        const { disk, served } = await withFacts();
        disk.expect({ atOperation, done, kind: 'crash' });
        await save(served).catch(() => undefined);
        for (const cause of causes) {
          const next = disk.afterwards(cause);
          const again = await serve(next);
          const onDisk = await again.loader.source?.read();
          const found = { onDisk, served: again.runtime.module().sources, failure: again.runtime.module().lastFailure };
          const place = `${cause} at operation ${atOperation} of ${operations}`;
          expect([place, await again.names()]).toEqual([place, ['Ada', 'Bo']]);
          expect(
            [
              { onDisk: OLD, served: OLD, failure: null },
              { onDisk: NEW, served: NEW, failure: null },
            ],
            place,
          ).toContainEqual(found);
          outcomes.add(JSON.stringify([cause, onDisk]));
          // A client without a response repeats the save, with the same renames.
          expect(await save(again), place).toMatchObject({ saved: true, reloaded: true });
          await add(again, 'Cy');
          await again.close();
          const last = await serve(next.afterwards('killed'));
          expect([place, await last.names()]).toEqual([place, ['Ada', 'Bo', 'Cy']]);
          await last.close();
        }
      }
      expect(outcomes.size).toBe(2 * causes.length);
    },
  );
});

describe('a save that swaps two names', () => {
  const EXCHANGED = [
    { from: 'a::Thing.one', to: 'a::Thing.two' },
    { from: 'a::Thing.two', to: 'a::Thing.one' },
  ];
  const things = (name: string) => [
    {
      file: 'a.entail',
      text: `module a\npub concept Thing { one: Text two: Text }\npub query names() -> [Text] { select t.one where Thing(t) }\npub mutation add(name: Text) -> Thing { return insert Thing { one: name, two: "${name}" } }\n`,
    },
    { file: 'b.entail', text: moduleB('counted') },
  ];

  it('swaps them exactly once, whenever the process is killed', async () => {
    const prepared = async () => {
      const disk = new FakeDisk();
      put(disk, things('second'));
      const served = await serve(disk);
      await add(served, 'first');
      disk.operations = 0;
      return { disk, served };
    };
    const { disk: counted, served: whole } = await prepared();
    await save(whole, things('other'), { renames: EXCHANGED });
    expect(await whole.names()).toEqual(['second']);
    const { operations } = counted;
    for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
      const { disk, served } = await prepared();
      disk.expect({ atOperation, done: 'all', kind: 'crash' });
      await save(served, things('other'), { renames: EXCHANGED }).catch(() => undefined);
      const again = await serve(disk.afterwards('killed'));
      const isNew = (await again.loader.source?.read())?.[0]?.text === things('other')[0]?.text;
      expect([atOperation, await again.names()]).toEqual([atOperation, [isNew ? 'second' : 'first']]);
      await again.close();
    }
  });
});

describe('a save that stored facts refuse', () => {
  const REFUSED = [{ file: 'a.entail', text: moduleA('called') }];

  it('does not block the next start, which serves the old module and says why', async () => {
    const { disk, served } = await withFacts();
    const answer = await save(served, REFUSED, {});
    expect(answer).toMatchObject({ saved: true, failure: { code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' } });
    await served.close();
    const again = await serve(disk);
    expect(again.refused).toMatchObject({ code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' });
    expect(again.runtime.module()).toMatchObject({
      sources: OLD,
      lastFailure: { code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' },
    });
    expect(await again.names()).toEqual(['Ada', 'Bo']);
    expect(await save(again)).toMatchObject({ saved: true, reloaded: true });
    expect(await again.names()).toEqual(['Ada', 'Bo']);
    await again.close();
  });

  it('is loaded by a start that accepts another schema', async () => {
    const { disk, served } = await withFacts();
    await save(served, REFUSED, {});
    await served.close();
    const again = await serve(disk, { isHeldToFacts: false, acceptsSchemaChange: true });
    expect([again.refused, again.runtime.module().sources[0]]).toEqual([undefined, REFUSED[0]]);
    await again.close();
  });

  it('does not block the next start if a later save fails on the disk', async () => {
    const { disk, served } = await withFacts();
    await save(served, REFUSED, {});
    const before = disk.operations;
    await save(served, NEW, {});
    const perSave = disk.operations - before;
    for (let atOperation = 1; atOperation <= perSave; atOperation += 1) {
      const { disk: full, served: other } = await withFacts();
      await save(other, REFUSED, {});
      full.expect({ atOperation, done: 'nothing', kind: 'full' });
      await save(other, NEW, {}).catch(() => undefined);
      const again = await serve(full.afterwards('killed'));
      expect([atOperation, await again.names()]).toEqual([atOperation, ['Ada', 'Bo']]);
      await again.close();
    }
    await served.close();
  });
});

describe('a start on files that were edited while the server was stopped', () => {
  async function changed(): Promise<FakeDisk> {
    const { disk, served } = await withFacts();
    await served.close();
    put(disk, NEW);
    return disk;
  }

  it('refuses requests with the reason until the text on disk is saved with renames', async () => {
    const served = await serve(await changed());
    await expect(served.names()).rejects.toMatchObject({ code: 'SVC_RUNTIME_SCHEMA_MISMATCH' });
    expect(served.runtime.module().lastFailure).toMatchObject({ code: 'SVC_RUNTIME_SCHEMA_MISMATCH' });
    const preview = await served.loader.preview(NEW, FRAME, { renames: RENAMES });
    expect(preview).toMatchObject({ saved: false, change: { renames: [{ to: 'a::Person.called', facts: 2 }] } });
    await expect(served.names(), 'a preview loads nothing').rejects.toMatchObject({
      code: 'SVC_RUNTIME_SCHEMA_MISMATCH',
    });
    expect(await save(served)).toMatchObject({ saved: true, reloaded: true });
    expect(await served.names()).toEqual(['Ada', 'Bo']);
    expect(served.runtime.module().lastFailure).toBeNull();
    await served.close();
  });

  it('checks them against the facts once they are saved unchanged, and keeps the old module if they do not fit', async () => {
    const served = await serve(await changed());
    const answer = await save(served, NEW, {});
    expect(answer).toMatchObject({
      saved: true,
      reloaded: false,
      failure: { code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' },
    });
    expect(await served.names()).toEqual(['Ada', 'Bo']);
    await served.close();
  });

  it('refuses them again after a restart, because the module of the facts stays known', async () => {
    const disk = await changed();
    await (await serve(disk)).close();
    const again = await serve(disk);
    await expect(again.names()).rejects.toMatchObject({ code: 'SVC_RUNTIME_SCHEMA_MISMATCH' });
    expect(await save(again)).toMatchObject({ reloaded: true });
    await again.close();
  });

  it('serves the old module and says why if the host must serve one', async () => {
    const served = await serve(await changed(), { isHeldToFacts: true, acceptsSchemaChange: false });
    expect(served.refused).toMatchObject({ code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' });
    expect(await served.names()).toEqual(['Ada', 'Bo']);
    await served.close();
  });
});

it('replaces all files or none, and keeps all facts, if the disk refuses any operation of a save', async () => {
  const { disk: counted, served: whole } = await withFacts();
  await save(whole);
  const { operations } = counted;
  await whole.close();
  const codes = new Set<string>();
  for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
    const { disk, served } = await withFacts();
    disk.expect({ atOperation, done: 'all', kind: 'full' });
    const failure = await save(served).then(
      () => undefined,
      (error: unknown) => error,
    );
    const onDisk = await served.loader.source?.read();
    if (failure instanceof ApiError) {
      codes.add(failure.code);
      expect([atOperation, onDisk]).toEqual([atOperation, OLD]);
    }
    expect([OLD, NEW]).toContainEqual(onDisk);
    expect([atOperation, await served.names()]).toEqual([atOperation, ['Ada', 'Bo']]);
    await served.close().catch(() => undefined);
    const again = await serve(disk.afterwards('killed'));
    expect([atOperation, await again.names()]).toEqual([atOperation, ['Ada', 'Bo']]);
    await again.close();
  }
  expect([...codes]).toEqual(['SVC_RUNTIME_STORAGE_ERROR']);
});
