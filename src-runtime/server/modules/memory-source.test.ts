/** A server without files: the sources that a client sends are its module until others replace them. */

import { expect, it } from 'vitest';
import { type RealServer, serversOfTests } from '../testing/real.js';

const started = serversOfTests();
const serveNothing = () => started(undefined);

const LEASE = { file: 'lease.entail', text: 'module lease\npub concept Party { name: Text }\n' };
const PETS = { file: 'pets.entail', text: 'module pets\npub concept Pet { name: Text }\n' };

const put = (server: RealServer, body: object, query = '') => server.call('PUT', `/v1/module/sources${query}`, body);
const held = async (server: RealServer) => {
  const [sources, module] = [await server.call('GET', '/v1/module/sources'), await server.call('GET', '/v1/module')];
  return {
    files: sources.body.result.files.map(({ file }: { file: string }) => file),
    names: module.body.result.modules.map(({ name }: { name: string }) => name),
    held: module.body.result.held,
  };
};

it('runs received sources, keeps those that do not compile, and returns both', async () => {
  const server = await serveNothing();
  expect(await held(server)).toEqual({ files: [], names: [], held: true });
  expect(await put(server, { files: [LEASE] })).toMatchObject({
    status: 200,
    body: { result: { saved: true, reloaded: true, diagnostics: [] } },
  });
  expect(await server.call('POST', '/v1/module/reload')).toMatchObject({ body: { result: { loaded: true } } });

  const broken = { ...LEASE, text: LEASE.text.replace('Text', 'Txet') };
  expect(await put(server, { files: [broken] })).toMatchObject({
    body: { result: { saved: true, reloaded: false, diagnostics: [{ code: 'E0101' }] } },
  });
  expect(await held(server)).toEqual({ files: ['lease.entail'], names: ['lease'], held: true });
});

it('adds a file, and with "whole" replaces all files', async () => {
  const server = await serveNothing();
  await put(server, { files: [LEASE] });
  await put(server, { files: [PETS] });
  expect(await held(server)).toMatchObject({ files: ['lease.entail', 'pets.entail'], names: ['lease', 'pets'] });
  const tried = await put(server, { files: [PETS], whole: true }, '?dryRun=true');
  expect(tried.body.result.change.declarations).toMatchObject([{ change: 'removed', path: 'lease::Party' }]);
  await put(server, { files: [PETS], whole: true });
  expect(await held(server)).toMatchObject({ files: ['pets.entail'], names: ['pets'] });
});

it('drops the sources when an artifact replaces them', async () => {
  const server = await serveNothing();
  await put(server, { files: [LEASE] });
  const artifact = (await server.call('GET', '/v1/module/artifact')).body.result;
  await put(server, { files: [PETS], whole: true });
  expect(await server.call('PUT', '/v1/module', artifact)).toMatchObject({ status: 200 });
  expect(await held(server)).toEqual({ files: [], names: ['lease'], held: true });
});

it('refuses other files, and "whole" if the server has files', async () => {
  const server = await serveNothing();
  expect(await put(server, { files: [{ ...LEASE, file: '../lease.txt' }] })).toMatchObject({
    status: 400,
    body: { error: { code: 'SVC_RUNTIME_VALIDATION_FAILED', message: expect.stringMatching(/ends with \.entail/) } },
  });
  const withFiles = await started(LEASE.text);
  expect(await held(withFiles)).toMatchObject({ held: false });
  expect(await put(withFiles, { files: [LEASE], whole: true })).toMatchObject({
    status: 400,
    body: { error: { code: 'SVC_RUNTIME_VALIDATION_FAILED', message: expect.stringMatching(/started with files/) } },
  });
});
