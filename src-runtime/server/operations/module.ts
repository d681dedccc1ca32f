/** The module and its source files: what is loaded, what is on disk, saving, and the tests of texts that are not saved. */

import type { Operations } from '../../api/operations/index.js';
import type { ModuleInfo, ModuleSources, SaveSourcesResult } from '../../api/schemas/module-schemas.js';
import type { TriedTests } from '../../api/schemas/test-schemas.js';
import type { TestRun } from '../../world/contract/runtime.js';
import type { TimeBudget } from '../http/deadline.js';
import { wireDiagnostics } from '../modules/loader.js';
import type { Call, ServerContext } from './call.js';

export function moduleInfo({ runtime, loader }: ServerContext): ModuleInfo {
  return { ...runtime.module(), held: loader.source?.isInMemory ?? false };
}

export async function readSources({ runtime, loader }: ServerContext): Promise<ModuleSources> {
  const files = (await loader.source?.readOrDeleted()) ?? [];
  const loaded = runtime.module().sources;
  return {
    files: files.map((source) => {
      if ((source.deleted === undefined && source.unreadable === undefined) || source.text !== '') return source;
      // The server never read this file, but the module that was loaded last has its text.
      return { ...source, text: loaded.find(({ file }) => file === source.file)?.text ?? '' };
    }),
  };
}

export function saveSources({
  context,
  query,
  body,
  frame,
}: Call<Operations['saveSources']>): Promise<SaveSourcesResult> {
  const { files, renames, whole = false } = body;
  const how = { isWhole: whole, ...(renames && { renames }) };
  return query.dryRun
    ? context.loader.preview(files, frame, how)
    : context.loader.save(files, frame, { ...how, setAside: query.setAside });
}

export async function tryTests(call: Call<Operations['tryTests']>): Promise<TriedTests> {
  const { files, tests: wanted } = call.body;
  const { runtime, loader } = call.context;
  const { artifact, tests = [], diagnostics } = await loader.compileWith(files);
  const isCompiled = artifact !== undefined && !(artifact instanceof Uint8Array);
  const run = runWithin(call.timeBudget());
  const tried = isCompiled ? await runtime.tryTests({ artifact, tests }, wanted, run) : { tests: [], isCut: false };
  return { diagnostics: wireDiagnostics(diagnostics), ...tried };
}

const clock = { now: () => performance.now() };

/** Tests begin while more than half of the time is left; each may use all of the rest. */
export function runWithin({ isAmple, rest }: TimeBudget): TestRun {
  return { clock, mayBegin: isAmple, createDeadline: rest };
}
