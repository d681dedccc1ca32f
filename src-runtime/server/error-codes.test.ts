/**
 * The registry of errors is the only place that defines a code. The server, the documentation, the sources and the tests are compared with
 * it, code by code.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ERROR_CODES, ERROR_REGISTRY } from '../api/errors.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SORTED: readonly string[] = [...ERROR_CODES].sort();

let server: TestServer;
beforeAll(async () => {
  server = await serveFake(createFakeRuntime());
});
afterAll(() => server.close());

it('returns the registry from GET /v1/errors', async () => {
  const { body } = await server.call('GET', '/v1/errors');
  expect(body.result).toEqual(Object.entries(ERROR_REGISTRY).map(([code, row]) => ({ code, ...row })));
});

it('has the codes of the registry in the OpenAPI document, for every operation', async () => {
  const { body } = await server.call('GET', '/v1/openapi.json');
  const { properties } = body.components.schemas.ErrorEnvelope;
  expect(properties.error.properties.code.enum).toEqual(ERROR_CODES);
  expect(codesIn(JSON.stringify(body)).filter((code) => !SORTED.includes(code))).toEqual([]);
  for (const operations of Object.values<Record<string, { responses: Record<string, object> }>>(body.paths)) {
    for (const { responses } of Object.values(operations)) {
      const schema = { $ref: '#/components/schemas/ErrorEnvelope' };
      expect(responses['default']).toMatchObject({ content: { 'application/json': { schema } } });
    }
  }
});

it('has its codes and statuses in docs/errors.md, in the table and as headings', async () => {
  const page = await readFile(join(ROOT, 'docs/errors.md'), 'utf8');
  const table = [...page.matchAll(/^\| \[`(\w+)`\]\(#(\w+)\) \| (\d+) \|$/gm)].map(([, ...cells]) => cells);
  expect(table).toEqual(
    Object.entries(ERROR_REGISTRY).map(([code, { status }]) => [code, code.toLowerCase(), String(status)]),
  );
  const headings = [...page.matchAll(/^## (\w+)\n\nStatus (\d+)\./gm)].map(([, code, status]) => [code, status]);
  expect(headings).toEqual(Object.entries(ERROR_REGISTRY).map(([code, { status }]) => [code, String(status)]));
});

it('has no unknown code in the documentation', async () => {
  for (const name of await readdir(join(ROOT, 'docs'))) {
    // The page of diagnostics has an example of an unknown code.
    if (!name.endsWith('.md') || name === 'diagnostics.md') continue;
    const named = codesIn(await readFile(join(ROOT, 'docs', name), 'utf8'));
    expect({ name, strangers: named.filter((code) => !SORTED.includes(code)) }).toEqual({ name, strangers: [] });
  }
});

it('has a source that throws each code, and no source throws another', async () => {
  const given = new Set<string>();
  for (const file of await sourceFiles()) {
    if (file.endsWith('.test.ts') || file.includes('testing/') || DECLARING.some((place) => file.startsWith(place)))
      continue;
    for (const code of codesIn(await readFile(join(ROOT, 'src-runtime', file), 'utf8'))) given.add(code);
  }
  expect([...given].sort()).toEqual(SORTED);
});

it('has a test over HTTP named by each code, and no test named by another', async () => {
  const tested = new Set<string>();
  for (const file of await sourceFiles()) {
    if (!/^server\/[\w-]+\.test\.ts$/.test(file)) continue;
    const tests = testsIn(await readFile(join(ROOT, 'src-runtime', file), 'utf8'));
    for (const { code, body } of tests) {
      expect({ file, code, isExpected: body.includes(`'${code}'`) }).toEqual({ file, code, isExpected: true });
      tested.add(code);
    }
  }
  expect([...tested].sort()).toEqual(SORTED);
});

/** Where codes are declared or mentioned, but not thrown. */
const DECLARING = ['api/errors.ts', 'base/error-codes.ts', 'language/codes/'];

async function sourceFiles(): Promise<string[]> {
  const files = await readdir(join(ROOT, 'src-runtime'), { recursive: true });
  return files.map((file) => file.replaceAll('\\', '/')).filter((file) => file.endsWith('.ts'));
}

/** All names that have the form of a code, without incomplete ones. */
function codesIn(text: string): string[] {
  return [...new Set(text.match(/\bSVC_RUNTIME_[A-Z]+(?:_[A-Z]+)*/g))].sort();
}

/** Tests with titles that start with a code, and their bodies. */
function testsIn(source: string): { code: string; body: string }[] {
  const titles = [...source.matchAll(/(?:\bit|^ *\]\))\(\s*['`](SVC_RUNTIME_[A-Z_]+)/gm)];
  return titles.map(({ index, 0: { length }, 1: code = '' }) => {
    const end = source.indexOf('\n  });', index);
    return { code, body: source.slice(index + length, end) };
  });
}
