/** Each option of `serve` is a flag and a variable. The flag wins, and an invalid value is refused by name. */

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addServeOptions, type ServeOptions } from './serve-options.js';

function parse(
  args: string[],
  environment: Record<string, string> = {},
): { options?: ServeOptions; complaint: string } {
  let options: ServeOptions | undefined;
  let complaint = '';
  const command = new Command('serve').exitOverride().configureOutput({
    writeErr: (text) => {
      complaint += text;
    },
  });
  addServeOptions(command, environment).action((given: ServeOptions) => {
    options = given;
  });
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    return { complaint: complaint || String(error) };
  }
  return options === undefined ? { complaint } : { options, complaint };
}

describe('serve options', () => {
  it.each([
    ['store', 'postgres://ada:to#psecret@db/facts'],
    ['token', 'to psecret'],
    ['token-with', 'everything=topsecret'],
  ])('do not repeat an invalid secret: --%s', (name, text) => {
    const variable = `ENTAIL_${name.replace('-', '_').toUpperCase()}`;
    for (const { complaint } of [parse([`--${name}`, text]), parse([], { [variable]: text })]) {
      expect(complaint).toContain(`--${name} has an invalid value. Expected `);
      expect(complaint).not.toMatch(/psecret/);
    }
  });

  it('have the documented defaults of the API', () => {
    expect(parse([]).options).toEqual({
      port: 0,
      host: '127.0.0.1',
      grant: ['fork', 'reload'],
      adhoc: true,
      storeConnections: 10,
      readConsistency: 'latest',
      timeoutMs: 10_000,
      tokenWith: [],
      rowCap: 10_000,
      bodyLimit: 4_194_304,
      batchSteps: 1_000,
      explainNodes: 10_000,
      factBudget: 20_000_000,
      scopeIdBits: 128,
      drainSeconds: 3,
      logRequests: 500,
      logLevel: 'info',
    });
  });

  it('are in docs/api.md with these defaults', () => {
    const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
    const [, table = ''] = /^\| Option of `serve` .*?\n(.*?)\n\n/ms.exec(page) ?? [];
    const documented = [...table.matchAll(/^\| `(--[a-z-]+)[^`]*` \| .* \|(.*)\|$/gm)].map(([, name, value = '']) => [
      name,
      value.replaceAll('`', '').trim(),
    ]);
    const { options } = addServeOptions(new Command('serve'), {});
    expect(documented.map(([name]) => name).sort()).toEqual(options.map(({ long }) => long).sort());
    for (const { long, defaultValue, negate, mandatory } of options) {
      if (negate || mandatory || defaultValue === undefined || long === '--token-with') continue;
      expect([long, documented.find(([name]) => name === long)?.[1]]).toEqual([long, String(defaultValue)]);
    }
  });

  it('come from the environment if there is no flag', () => {
    const environment = {
      ENTAIL_PORT: '4000',
      ENTAIL_GRANT: 'forget, reload',
      ENTAIL_MEMORY: '1',
      ENTAIL_WATCH: 'false',
      ENTAIL_NO_ADHOC: 'true',
      ENTAIL_TIMEOUT_MS: '',
    };
    expect(parse(['--port', '5000'], environment).options).toMatchObject({
      port: 5000,
      grant: ['forget', 'reload'],
      memory: true,
      watch: false,
      adhoc: false,
      storeConnections: 10,
      readConsistency: 'latest',
      timeoutMs: 10_000,
    });
  });

  it('prefer a flag for the data over a variable for memory', () => {
    const { options } = parse(['--data', 'facts'], { ENTAIL_MEMORY: '1' });
    expect(options?.data).toBe('facts');
    expect(options?.memory).toBeUndefined();
  });

  it.each([
    [['--port', '70000'], {}, /--port.*from 0 to 65535/],
    [[], { ENTAIL_STORE: '' }, /ENTAIL_STORE is empty\. Name a database/],
    [['--grant', 'fork,fly'], {}, /fork, forget, reload/],
    [['--scope-id-bits', '5'], {}, /multiple of 4/],
    [['--token', 'with space'], {}, /without spaces/],
    [['--log-level', 'loud'], {}, /Allowed choices/],
    [['--data', 'd', '--memory'], {}, /cannot be used with/],
    [[], { ENTAIL_ROW_CAP: 'many' }, /ENTAIL_ROW_CAP is "many"/],
    [[], { ENTAIL_WATCH: 'maybe' }, /ENTAIL_WATCH is "maybe"\. Expected 1 or 0/],
    [[], { ENTAIL_LOG_LEVEL: 'loud' }, /ENTAIL_LOG_LEVEL is "loud"\. Expected one of/],
  ])('refuse %j with %j', (args, environment, complaint) => {
    const parsed = parse(args, environment as Record<string, string>);
    expect(parsed.options).toBeUndefined();
    expect(parsed.complaint).toMatch(complaint);
  });
});
