/** Requests as commands, file names, times and sizes. */

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import {
  bodyValue,
  bundleFileName,
  curlText,
  fetchText,
  glyphOfStatus,
  isDryRun,
  routeText,
  sizeText,
  timeText,
} from './request-text.js';

it('an answer is marked by how bad it is, and one that nobody waited for as open', () => {
  expect([200, 404, 503].map((status) => glyphOfStatus({ status }))).toEqual(['good', 'warning', 'blocking']);
  expect(glyphOfStatus({ status: 200, unfinished: true })).toBe('pending');
});

const REQUEST: RequestDetail = {
  seq: 1,
  requestId: 'abcdefgh',
  at: '',
  method: 'POST',
  path: '/v1/dispatch/query?limit=2',
  status: 200,
  ms: 1,
  bytes: 2,
  subject: 'lease::activeLeases',
  moduleHash: '',
  headers: {
    'content-type': 'application/json',
    'content-length': '9',
    'user-agent': 'x',
    'x-tenant-id': "Ada's $HOME",
  },
  body: { text: '{"a":"it\'s"}', bytes: 12, cut: false },
  answerHeaders: {},
  answer: null,
};

describe('a request as a curl command', () => {
  it('says everything that was sent, but for the token, whatever a shell would make of it', () => {
    const command = curlText(REQUEST, 'http://127.0.0.1:4711');
    const script = `curl() { printf '%s\\n' "$@"; }\n${command}`;
    const said = execFileSync('sh', ['-c', script], {
      env: { ENTAIL_TOKEN: 'from-the-environment' },
      encoding: 'utf8',
    });
    expect(said.trimEnd().split('\n')).toEqual([
      // `curl` must not expand brackets in the address, nor read a file for a body that starts with @.
      '-sSg',
      '-X',
      'POST',
      'http://127.0.0.1:4711/v1/dispatch/query?limit=2',
      '-H',
      'authorization: Bearer from-the-environment',
      '-H',
      'content-type: application/json',
      '-H',
      "x-tenant-id: Ada's $HOME",
      '--data-raw',
      '{"a":"it\'s"}',
    ]);
  });

  it('takes an address that the page does not know from the environment', () => {
    expect(curlText(REQUEST, undefined)).toContain('"$ENTAIL_URL"\'/v1/dispatch/query?limit=2\'');
  });
});

describe('words', () => {
  it('name a bundle after what was asked', () => {
    expect(bundleFileName(REQUEST, '.repro.json')).toBe('activeLeases-abcdef.repro.json');
    const { subject: _, ...plain } = REQUEST;
    expect(bundleFileName({ ...plain, path: '/v1/individuals/%23i3?x=1' }, '.repro.json')).toBe(
      '-23i3-abcdef.repro.json',
    );
  });

  it('say times and sizes in fitting units', () => {
    expect([0.42, 9.96, 12.3, 1240].map(timeText)).toEqual(['0.4 ms', '10.0 ms', '12 ms', '1.24 s']);
    expect([0, 1023, 1536, 4 * 1_048_576].map(sizeText)).toEqual(['0 B', '1023 B', '1.5 KiB', '4.0 MiB']);
  });

  it('show a path as it is read', () => {
    expect(routeText('/v1/relations/lease%3A%3Aliable?limit=2')).toBe('relations/lease::liable?limit=2');
    expect(routeText('/v1/%zz')).toBe('%zz');
  });

  it('tell a dry run from a request that is kept', () => {
    expect(
      ['?dryRun=true', '?effects=true&dryRun=true&explain=true', '?dryRun=false', ''].map((query) =>
        isDryRun({ path: `/v1/batch${query}` }),
      ),
    ).toEqual([true, true, false, false]);
  });

  it('give the value of a body only where it is whole and JSON', () => {
    expect(bodyValue({ text: '{"a":1}', bytes: 7, cut: false })).toEqual({ a: 1 });
    expect(bodyValue({ text: '{"a":1}', bytes: 9, cut: true })).toBeUndefined();
    expect(bodyValue({ text: 'no', bytes: 2, cut: false })).toBeUndefined();
    const digits = '12345678901234567.89';
    expect(bodyValue({ text: `{"a":${digits}}`, bytes: 26, cut: false })).toEqual({ a: digits });
  });
});

it('a request as a call of fetch says the same, whatever JavaScript would make of it', async () => {
  const lines = fetchText(REQUEST, 'http://127.0.0.1:4711');
  const asked: unknown[] = [];
  const fetch = async (...given: unknown[]) => {
    asked.push(...given);
    return { status: 200, json: async () => null };
  };
  const run = new Function('fetch', 'process', 'console', `return (async () => {${lines}})()`);
  await run(fetch, { env: { ENTAIL_TOKEN: 'from-the-environment' } }, { log: () => {} });
  expect(asked).toEqual([
    'http://127.0.0.1:4711/v1/dispatch/query?limit=2',
    {
      method: 'POST',
      headers: {
        authorization: 'Bearer from-the-environment',
        'content-type': 'application/json',
        'x-tenant-id': "Ada's $HOME",
      },
      body: '{"a":"it\'s"}',
    },
  ]);
});
