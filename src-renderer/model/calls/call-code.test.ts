/** Calls as code: all formats make the same request, and none contains the token. */

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { headerBytes } from '../../../src-runtime/api/headers.js';
import { codesOf } from './call-code.js';
import type { SentCall } from './calls.js';

const ARGS = {
  tenant: '@ada',
  code: `L'1 "\\$x\``,
  rent: '900',
  since: null,
  fast: true,
  with: [{ age: 3 }],
  none: [],
};
const SIGN: SentCall = {
  request: { kind: 'mutation', path: 'lease::sign', args: ARGS },
  context: { tenantId: "o'neill", principalId: '' },
  fork: 'what-if',
  dryRun: true,
};

function codeOf(call: SentCall, name: string, address?: string) {
  return codesOf(call, address)
    .find((code) => code.name === name)
    ?.text();
}

it('formats a call as an entail command, with special characters in quotes', () => {
  const request = { kind: 'query', path: 'lease::active', args: { least: 1, code: "L'1" } } as const;
  expect(codeOf({ ...SIGN, request }, 'entail call', 'http://127.0.0.1:4800')).toBe(
    `entail call http://127.0.0.1:4800 lease::active --arg least=1 --arg 'code=L'\\''1' --context 'tenantId=o'\\''neill' --fork what-if`,
  );
  expect(codeOf(SIGN, 'entail call')).toMatch(/^entail call "\$ENTAIL_URL" lease::sign .* --dry-run$/);
  expect(codeOf({ ...SIGN, request: { kind: 'batch', steps: [] } }, 'entail call')).toBeUndefined();
});

it('formats a call as TypeScript that sends the same request as the page', async () => {
  let got: object = {};
  const server = createServer((request, response) => {
    const pieces: string[] = [];
    request.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
    request.on('end', () => {
      got = { url: request.url, headers: request.headers, body: JSON.parse(pieces.join('')) };
      response.end('{"result":"signed"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call = { ...SIGN, context: { ...SIGN.context, principalId: "日本's" } };
  const text = codeOf(call, 'TypeScript', `http://127.0.0.1:${port}`) ?? '';
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', text], {
    env: { ...process.env, ENTAIL_TOKEN: 'secret' },
  });
  const { stdout } = await run.finally(() => server.close());
  expect(stdout).toBe('signed\n');
  expect(got).toMatchObject({
    url: '/v1/dispatch/mutation?dryRun=true',
    headers: {
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'x-fork-id': 'what-if',
      'x-tenant-id': "o'neill",
      'x-principal-id': headerBytes("日本's"),
    },
    body: { path: 'lease::sign', args: ARGS },
  });
});

it('formats a call as Python, with its literals for booleans and null', () => {
  const text = codeOf(SIGN, 'Python');
  expect(text).toContain(`    os.environ["ENTAIL_URL"] + "/v1/dispatch/mutation?dryRun=true",
    method="POST",
    headers={
        "authorization": f"Bearer {os.environ['ENTAIL_TOKEN']}",
        "content-type": "application/json",
        "x-fork-id": "what-if",
        "x-tenant-id": "o'neill",
    },
    data=json.dumps({
        "path": "lease::sign",
        "args": {
            "tenant": "@ada",
            "code": "L'1 \\"\\\\$x\`",
            "rent": "900",
            "since": None,
            "fast": True,
            "with": [
                {
                    "age": 3,
                },
            ],
            "none": [],
        },
    }).encode(),
`);
});

it('encodes a non-ASCII header as bytes in Python', () => {
  expect(codeOf({ ...SIGN, fork: 'é' }, 'Python')).toContain(`"x-fork-id": "é".encode().decode("latin-1"),`);
});
