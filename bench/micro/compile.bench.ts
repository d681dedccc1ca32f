/** Measures parsing, checking and compiling a module of 5,000 lines, for the editor and the build. */

import { bench, describe } from 'vitest';
import { encodeArtifact } from '../../src-runtime/artifact/index.js';
import { compile } from '../../src-runtime/compiler/index.js';
import { largeModule } from '../../src-runtime/compiler/testing/large-module.js';
import { checkModules } from '../../src-runtime/language/check/index.js';
import { parseModule } from '../../src-runtime/language/index.js';

const FILE = 'company.entail';
const text = largeModule(5000);
const { diagnostics } = compile([{ file: FILE, text }]);
if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics.slice(0, 5), null, 2));

/** The text with a typo in the middle: one diagnostic, and no other change. */
const at = text.indexOf('ready', text.length / 2) + 3;
const edited = `${text.slice(0, at)}x${text.slice(at)}`;

function check(source: string): number {
  const parsed = parseModule(FILE, source);
  return parsed.diagnostics.length + checkModules([parsed.value]).diagnostics.length;
}

/** An editor checks after every key, so only optimized code is relevant. */
const WARM = { warmupIterations: 15, warmupTime: 0, iterations: 20, time: 0 };

describe(`a module of ${text.split('\n').length - 1} lines`, () => {
  bench('parse', () => void parseModule(FILE, text), WARM);
  bench('parse and check', () => void check(text), WARM);
  bench(
    'parse and check after a character was typed in the middle',
    () => {
      if (check(edited) === 0) throw new Error('the edit is a mistake');
    },
    WARM,
  );
  bench(
    'compile to canonical bytes',
    () => {
      const { artifact } = compile([{ file: FILE, text }]);
      if (artifact) encodeArtifact(artifact);
    },
    WARM,
  );
});
