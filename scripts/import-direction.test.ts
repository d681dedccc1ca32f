/**
 * The check of import direction works. (dependency-cruiser can scan nothing and exit 0 if its TypeScript support does not load; the
 * planted violation detects that.)
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const repository = join(import.meta.dirname, '..');
const cruiser = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const run = promisify(execFile);

const value = 'export const value = 1;\n';

/** The files of a project that breaks each rule once. */
const FILES: Record<string, string> = {
  'src-runtime/base/span.ts': value,
  'src-runtime/language/parser.ts': "export { value } from '../base/span.js';\n",
  'src-renderer/panels/module/panel.tsx': "export { value } from '../../../src-runtime/language/parser.js';\n",

  'src-runtime/language/ast.ts': 'export type Ast = string;\n',
  'src-runtime/engine/plan.ts':
    "import type { Ast } from '../language/ast.js';\nexport const plan = (ast: Ast): Ast => ast;\n",

  'src-runtime/engine/clock.ts': "import { hrtime } from 'node:process';\nexport const now = hrtime;\n",

  'src-renderer/panels/invoke/form.ts': value,
  'src-renderer/panels/explain/panel.ts': "export { value } from '../invoke/form.js';\n",

  'src-runtime/server/index.ts': value,
  'src-runtime/cli/build.ts': "export { value } from '../server/index.js';\n",
  'src-runtime/cli/call.ts': "export { value } from '../server/index.js';\n",
  'src-runtime/cli/program.ts': "export const build = () => import('./build.js');\n",

  'src-runtime/world/merge/merge.ts': value,
  'src-runtime/world/read/lists.ts': "export { value } from '../merge/merge.js';\n",

  'src-runtime/engine/value.ts': value,
  'src-renderer/panels/invoke/panel.ts': "export { value } from '../../../src-runtime/engine/value.js';\n",

  'src-runtime/api/schemas/schemas.ts': value,
  'e2e/journey.spec.ts': "export { value } from '../src-runtime/api/schemas/schemas.js';\n",
};

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

let root: string;
let found: readonly Violation[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'entail-imports-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'tsconfig.tests.json'), '{}');
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  const config = join(repository, '.dependency-cruiser.cjs');
  const folders = ['src-runtime', 'src-renderer', 'e2e'];
  const args = [cruiser, '--config', config, '--output-type', 'json', ...folders];
  const { stdout } = await run(process.execPath, args, { cwd: root }).catch((failure: { stdout: string }) => failure);
  const report = JSON.parse(stdout) as { summary: { totalCruised: number; violations: Violation[] } };
  expect(report.summary.totalCruised).toBeGreaterThanOrEqual(Object.keys(FILES).length);
  found = report.summary.violations;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ['an import against the direction, even a type-only one', 'src-runtime/engine/plan.ts', 'runtime-engine'],
  ['a Node module in the core', 'src-runtime/engine/clock.ts', 'pure-core'],
  ['a panel that imports another panel', 'src-renderer/panels/explain/panel.ts', 'panels-apart'],
  ['a client command that loads the server', 'src-runtime/cli/call.ts', 'clients-load-the-server-late'],
  ['a folder that imports one listed after it', 'src-runtime/world/read/lists.ts', 'folder-order'],
  ['a page that imports the engine', 'src-renderer/panels/invoke/panel.ts', 'renderer-imports'],
  ['an end-to-end test that imports source', 'e2e/journey.spec.ts', 'journeys-from-outside'],
])('finds %s', (_, path, rule) => {
  expect(found.filter(({ from }) => from === path).map(({ rule: { name } }) => name)).toEqual([rule]);
});

it('allows imports along the direction', () => {
  expect(found).toHaveLength(7);
});
