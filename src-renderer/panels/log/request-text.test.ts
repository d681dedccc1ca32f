/** Requests as commands, file names, times and sizes. */

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import { sizeText } from '../../model/text/count-text.js';
import {
  bodyValue,
  bundleFileName,
  curlText,
  fetchText,
  glyphOfStatus,
  isDryRun,
  routeText,
  timeText,
} from './request-text.js';

it('marks a response by its status, and an unfinished request as pending', () => {
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
  it('repeats the request except the token, quoted for a shell', () => {
    const command = curlText(REQUEST, 'http://127.0.0.1:4711');
    const script = `curl() { printf '%s\\n' "$@"; }\n${command}`;
    const output = execFileSync('sh', ['-c', script], {
      env: { ENTAIL_TOKEN: 'from-the-environment' },
      encoding: 'utf8',
    });
    expect(output.trimEnd().split('\n')).toEqual([
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

  it('takes the address from the environment if the page does not know it', () => {
    expect(curlText(REQUEST, undefined)).toContain('"$ENTAIL_URL"\'/v1/dispatch/query?limit=2\'');
  });
});

describe('the text of a request', () => {
  it('names a bundle after the callable or the path', () => {
    expect(bundleFileName(REQUEST, '.repro.json')).toBe('activeLeases-abcdef.repro.json');
    const { subject: _, ...plain } = REQUEST;
    expect(bundleFileName({ ...plain, path: '/v1/individuals/%23i3?x=1' }, '.repro.json')).toBe(
      '-23i3-abcdef.repro.json',
    );
  });

  it('shows times and sizes in suitable units', () => {
    expect([0.42, 9.96, 12.3, 1240].map(timeText)).toEqual(['0.4 ms', '10.0 ms', '12 ms', '1.24 s']);
    expect([0, 1023, 1536, 4 * 1_048_576].map(sizeText)).toEqual(['0 B', '1023 B', '1.5 KiB', '4.0 MiB']);
  });

  it('decodes the path', () => {
    expect(routeText('/v1/relations/lease%3A%3Aliable?limit=2')).toBe('relations/lease::liable?limit=2');
    expect(routeText('/v1/%zz')).toBe('%zz');
  });

  it('distinguishes dry runs from saved requests', () => {
    expect(
      ['?dryRun=true', '?effects=true&dryRun=true&explain=true', '?dryRun=false', ''].map((query) =>
        isDryRun({ path: `/v1/batch${query}` }),
      ),
    ).toEqual([true, true, false, false]);
  });

  it('has the value of a body if that is complete JSON', () => {
    expect(bodyValue({ text: '{"a":1}', bytes: 7, cut: false })).toEqual({ a: 1 });
    expect(bodyValue({ text: '{"a":1}', bytes: 9, cut: true })).toBeUndefined();
    expect(bodyValue({ text: 'no', bytes: 2, cut: false })).toBeUndefined();
    const digits = '12345678901234567.89';
    expect(bodyValue({ text: `{"a":${digits}}`, bytes: 26, cut: false })).toEqual({ a: digits });
  });
});

it('repeats the request as a fetch call, quoted for JavaScript', async () => {
  const lines = fetchText(REQUEST, 'http://127.0.0.1:4711');
  const sent: unknown[] = [];
  const fetch = async (...args: unknown[]) => {
    sent.push(...args);
    return { status: 200, json: async () => null };
  };
  const run = new Function('fetch', 'process', 'console', `return (async () => {${lines}})()`);
  await run(fetch, { env: { ENTAIL_TOKEN: 'from-the-environment' } }, { log: () => {} });
  expect(sent).toEqual([
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
