/**
 * The check of import direction works. (dependency-cruiser can scan nothing and exit 0 if its TypeScript support does not load; the
 * planted violation detects that.)
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';

const repository = join(import.meta.dirname, '..');
const cruiser = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const run = promisify(execFile);
const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The names of the rules that a project of these files breaks. */
async function violations(files: Record<string, string>): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'entail-imports-'));
  made.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'tsconfig.tests.json'), '{}');
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  const config = join(repository, '.dependency-cruiser.cjs');
  const folders = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? path))];
  const args = [cruiser, '--config', config, '--output-type', 'json', ...folders];
  const { stdout } = await run(process.execPath, args, { cwd: root }).catch((failure: { stdout: string }) => failure);
  const report = JSON.parse(stdout) as { summary: { totalCruised: number; violations: { rule: { name: string } }[] } };
  expect(report.summary.totalCruised).toBeGreaterThanOrEqual(Object.keys(files).length);
  return report.summary.violations.map(({ rule }) => rule.name).sort();
}

const value = 'export const value = 1;\n';

it('allows imports along the direction', async () => {
  expect(
    await violations({
      'src-runtime/base/span.ts': value,
      'src-runtime/language/parser.ts': "export { value } from '../base/span.js';\n",
      'src-renderer/panels/module/panel.tsx': "export { value } from '../../../src-runtime/language/parser.js';\n",
    }),
  ).toEqual([]);
});

it('finds an import against the direction, even a type-only one', async () => {
  expect(
    await violations({
      'src-runtime/language/ast.ts': 'export type Ast = string;\n',
      'src-runtime/engine/plan.ts':
        "import type { Ast } from '../language/ast.js';\nexport const plan = (ast: Ast): Ast => ast;\n",
    }),
  ).toEqual(['runtime-engine']);
});

it('finds a Node module in the core', async () => {
  expect(
    await violations({
      'src-runtime/engine/clock.ts': "import { hrtime } from 'node:process';\nexport const now = hrtime;\n",
    }),
  ).toEqual(['pure-core']);
});

it('finds a panel that imports another panel', async () => {
  expect(
    await violations({
      'src-renderer/panels/invoke/form.ts': value,
      'src-renderer/panels/explain/panel.ts': "export { value } from '../invoke/form.js';\n",
    }),
  ).toEqual(['panels-apart']);
});

it('finds a client command that loads the server', async () => {
  expect(
    await violations({
      'src-runtime/server/index.ts': value,
      'src-runtime/cli/build.ts': "export { value } from '../server/index.js';\n",
      'src-runtime/cli/call.ts': "export { value } from '../server/index.js';\n",
      'src-runtime/cli/program.ts': "export const build = () => import('./build.js');\n",
    }),
  ).toEqual(['clients-load-the-server-late']);
});

it('finds a folder that imports one listed after it', async () => {
  expect(
    await violations({
      'src-runtime/world/merge/merge.ts': value,
      'src-runtime/world/read/lists.ts': "export { value } from '../merge/merge.js';\n",
    }),
  ).toEqual(['folder-order']);
});

it('finds a page that imports the engine', async () => {
  expect(
    await violations({
      'src-runtime/engine/plan.ts': value,
      'src-renderer/panels/invoke/panel.ts': "export { value } from '../../../src-runtime/engine/plan.js';\n",
    }),
  ).toEqual(['renderer-imports']);
});

it('finds an end-to-end test that imports source', async () => {
  expect(
    await violations({
      'src-runtime/api/schemas/schemas.ts': value,
      'e2e/journey.spec.ts': "export { value } from '../src-runtime/api/schemas/schemas.js';\n",
    }),
  ).toEqual(['journeys-from-outside']);
});
