/**
 * Runs the application's scripts with V8's compiled code of an earlier run, which `scripts/code-cache.mjs` writes beside them when the
 * application is packed. Electron's Node has no such cache for modules, so these scripts are CommonJS. V8 rejects code
 * from another version, with other flags or for another script, and then compiles the script as usual.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Script } from 'node:vm';

/** The name of a script's compiled code, after that of the script. */
export const CODE_CACHE = '.cache';

interface Module {
  exports: unknown;
}

type RunModule = (
  exports: unknown,
  require: (name: string) => unknown,
  module: Module,
  filename: string,
  dirname: string,
) => void;

/** Loads a CommonJS file and what it requires by relative paths, each once. Returns its exports. */
export function runScript(file: string): unknown {
  const modules = new Map<string, Module>();
  const scripts = new Map<string, Script>();
  const load = (path: string): unknown => {
    const loaded = modules.get(path);
    if (loaded !== undefined) return loaded.exports;
    const module: Module = { exports: {} };
    modules.set(path, module);
    const script = compiled(path);
    scripts.set(path, script);
    const requireOther = createRequire(path);
    const require = (name: string): unknown =>
      /^\.\.?\//.test(name) ? load(resolve(dirname(path), name)) : requireOther(name);
    (script.runInThisContext() as RunModule)(module.exports, require, module, path, dirname(path));
    return module.exports;
  };
  // At the exit, the code has all functions that ran, not only those needed to load.
  if (process.env['ENTAIL_CODE_CACHE'] === 'write') process.once('exit', () => writeCode(scripts));
  return load(file);
}

function compiled(path: string): Script {
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`;
  const cachedData = codeOf(path);
  return new Script(source, { filename: path, ...(cachedData !== undefined && { cachedData }) });
}

function codeOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path + CODE_CACHE);
  } catch {
    return undefined;
  }
}

function writeCode(scripts: ReadonlyMap<string, Script>): void {
  for (const [path, script] of scripts) writeFileSync(path + CODE_CACHE, script.createCachedData());
}
