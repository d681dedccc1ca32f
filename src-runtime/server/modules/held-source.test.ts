/** A server that was started without files, over HTTP: sources that it is sent are its module, until others take their place. */

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

it('runs what it is sent, keeps what does not compile, and reads both again', async () => {
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

it('takes a file in addition, and with "whole" others in the place of all', async () => {
  const server = await serveNothing();
  await put(server, { files: [LEASE] });
  await put(server, { files: [PETS] });
  expect(await held(server)).toMatchObject({ files: ['lease.entail', 'pets.entail'], names: ['lease', 'pets'] });
  const tried = await put(server, { files: [PETS], whole: true }, '?dryRun=true');
  expect(tried.body.result.change.declarations).toMatchObject([{ change: 'removed', path: 'lease::Party' }]);
  await put(server, { files: [PETS], whole: true });
  expect(await held(server)).toMatchObject({ files: ['pets.entail'], names: ['pets'] });
});

it('leaves the sources for an artifact that is put in their place', async () => {
  const server = await serveNothing();
  await put(server, { files: [LEASE] });
  const artifact = (await server.call('GET', '/v1/module/artifact')).body.result;
  await put(server, { files: [PETS], whole: true });
  expect(await server.call('PUT', '/v1/module', artifact)).toMatchObject({ status: 200 });
  expect(await held(server)).toEqual({ files: [], names: ['lease'], held: true });
});

it('refuses what is no source, and "whole" of a server that has files of its own', async () => {
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
