import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RequestFrame } from '../../world/contract/requests.js';
import { startWorld } from '../../world/testing/start-world.js';
import { createFakeRuntime } from '../testing/fake-runtime.js';
import { createModuleLoader } from './loader.js';
import { createMemorySource } from './memory-source.js';
import { openModuleSource } from './module-source.js';

const MODULE = 'module m\npub relation p(a: Int)\n';
const NEXT = `${MODULE}pub derive q(a: Int) when p(a)\n`;
const FRAME: RequestFrame = { headerContext: {}, bodyContext: {}, forks: [] };

async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'entail-loader-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'm.entail');
  await writeFile(file, MODULE);
  const given: unknown[] = [];
  const runtime = createFakeRuntime(
    {},
    {
      loadArtifact: async (artifact) => {
        given.push(artifact);
        return [];
      },
      previewArtifact: async (artifact) => {
        given.push(artifact);
        return { from: '', to: '', declarations: [], relations: [], firings: [], renames: [], remarks: [], cut: false };
      },
    },
  );
  return { file, given, loader: createModuleLoader(runtime, openModuleSource([file])) };
}

it('compiles a text once for the preview and the save after it', async () => {
  const { given, loader } = await start();
  const files = [{ file: 'm.entail', text: NEXT }];
  await loader.preview(files, FRAME);
  await loader.save(files, FRAME);
  expect(given).toHaveLength(2);
  expect(given[0]).toBe(given[1]);
});

it('loads the running module again after a failed read, so that the failure is cleared', async () => {
  const { file, given, loader } = await start();
  await loader.load();
  await rename(file, `${file}.away`);
  await expect(loader.loadChanged()).rejects.toThrow('Cannot read');
  await rename(`${file}.away`, file);
  expect([await loader.loadChanged(), given.length]).toEqual([true, 2]);
});

it('ignores a watched change if the texts are already loaded', async () => {
  const { file, given, loader } = await start();
  await loader.load();
  await loader.save([{ file: 'm.entail', text: NEXT }], FRAME);
  expect([await loader.loadChanged(), given.length]).toEqual([false, 2]);
  await writeFile(file, MODULE);
  expect([await loader.loadChanged(), given.length]).toEqual([true, 3]);
  await loader.put(new Uint8Array());
  expect([await loader.loadChanged(), given.length]).toEqual([true, 5]);
});

describe('simultaneous saves', () => {
  const JOIN = 'pub mutation join(name: Text) -> Person { return insert Person { name: name } }\n';
  const PEOPLE = `module m\npub concept Person { name: Text }\n${JOIN}`;

  async function served() {
    const world = await startWorld(PEOPLE);
    const loader = createModuleLoader(world.runtime, createMemorySource());
    const save = (text: string, how?: { readonly setAside: boolean }) =>
      loader.save([{ file: 'm.entail', text }], FRAME, how);
    await save(PEOPLE);
    return { world, save };
  }

  it('each get the outcome of their own text', async () => {
    const { save } = await served();
    const [good, bad] = await Promise.all([save(`${PEOPLE}\n`), save(PEOPLE.replace('name: Text }', 'name: Txt }'))]);
    expect(good).toMatchObject({ saved: true, reloaded: true });
    expect(bad).toMatchObject({ saved: true, reloaded: false });
  });

  it('archive facts only for the client that requested it', async () => {
    const { world, save } = await served();
    await world.mutate('m::join', { name: 'Ann' });
    const other = 'module m\npub concept Other { title: Text }\n';
    const [asking, unasked] = await Promise.all([save(`${PEOPLE}\n`, { setAside: true }), save(other)]);
    expect(asking.setAside).toBeUndefined();
    expect(unasked).toMatchObject({ reloaded: false, failure: { code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' } });
  });
});
