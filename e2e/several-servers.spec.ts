/** The page behind a load balancer that alternates between two servers on one PostgreSQL. */

import { createServer, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NO_POSTGRES, programs, startCluster, stopCluster } from '../src-runtime/storage/testing/postgres-cluster.js';
import { startInOwnProcess } from './support/running-server.js';
import { expect, test } from './support/served-workbench.js';
import { openPanel } from './support/steps.js';
import { copySample, withTemporaryFolder } from './support/temporary-folder.js';

const TOKEN = 'shared';

test('works behind a load balancer, shows writes through any server, and goes on when one of them stops', async ({
  page,
}) => {
  test.skip(programs === undefined, NO_POSTGRES);
  await withTemporaryFolder(async (folder) => {
    const port = await startCluster(folder);
    const errors: string[] = [];
    const serve = async (...files: string[]) => {
      const store = `postgres://entail@127.0.0.1:${port}/postgres`;
      const args = [...files, '--store', store, '--token', TOKEN, '--log-level', 'warn'];
      const server = await startInOwnProcess(args, errors);
      return { ...server, url: (JSON.parse(server.ready) as { url: string }).url };
    };
    // The second server gets the module from the database.
    const servers = [await serve(copySample('lease', folder)), await serve()] as const;
    const balancer = await startBalancer(servers.map(({ url }) => url));
    try {
      await page.goto(`${balancer.url}/data?path=lease::Person#token=${TOKEN}`);
      const list = page.getByRole('region', { name: 'List' });
      await expect(list.getByRole('status')).toHaveText('5 rows');
      await list.getByRole('button', { name: 'Add…' }).click();
      const name = page.getByRole('form', { name: 'Add to Person' }).getByRole('textbox', { name: 'name' });
      await name.fill('Added in the page');
      await name.press('Control+Enter');
      await expect(list.getByRole('status')).toHaveText('6 rows');

      for (const { url } of servers) await addPerson(url, `Added at ${new URL(url).port}`);
      await expect(list.getByRole('status')).toHaveText('8 rows');

      await servers[0].stop();
      await addPerson(balancer.url, 'Added after the stop');
      await expect(list.getByRole('status')).toHaveText('9 rows');
      await openPanel(page, 'Checks');
      await expect(page.getByText('live', { exact: true })).toBeVisible();
    } finally {
      await balancer.close();
      await Promise.all(servers.map((server) => server.kill()));
      await stopCluster(folder);
      if (test.info().status !== test.info().expectedStatus) process.stderr.write(errors.join(''));
    }
  });
});

async function addPerson(url: string, name: string): Promise<void> {
  const source = 'mutation add(name: Text) { insert Person { name: name } }';
  const response = await fetch(`${url}/v1/mutation/adhoc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source, args: { name } }),
  });
  expect(response.status).toBe(200);
}

/** Sends each request to the next server that accepts connections. */
async function startBalancer(urls: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (part: Buffer) => body.push(part));
    request.on('end', () => {
      requests += 1;
      const order = urls.map((_, index) => urls[(requests + index) % urls.length] ?? '');
      pass(order, Buffer.concat(body), response);
    });
    function pass([url = '', ...others]: readonly string[], sent: Buffer, to: ServerResponse): void {
      const { hostname, port } = new URL(url);
      const { url: path = '', method = 'GET', headers } = request;
      const onward = forward({ hostname, port, path, method, headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
        answer.on('error', () => to.destroy());
      });
      onward.on('error', () => (to.headersSent || others.length === 0 ? to.destroy() : pass(others, sent, to)));
      to.on('close', () => onward.destroy());
      onward.end(sent);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
