/** How to connect a client: address, token and examples. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadingRows } from '../../domain/failure/states.js';
import { host } from '../../host/current-host.js';
import { useSchema } from '../../server-state/module.js';
import { CopyLine } from '../../ui/copy-line.js';
import { copyToken } from '../../ui/copy-token.js';
import { exampleCalls } from './example-calls.js';

const isDesktop = host.kind === 'electron';

export function Connect() {
  const place = useRuntimePlace();
  const schema = useSchema().data;
  const address = host.runtimePlace === undefined ? window.location.origin : place?.address;
  if (address === undefined) return <LoadingRows rows={4} />;
  const { curl, commandLine, typescript } = exampleCalls(address, schema);
  return (
    <>
      <section aria-label="Address">
        <h3>Address</h3>
        <CopyLine label="Address of the server" text={address} />
        <p className="dim">
          Local only
          {isDesktop ? (
            '.'
          ) : (
            <>
              , unless started with <span className="mono">--allow-remote</span>.
            </>
          )}
        </p>
      </section>
      <section aria-label="Token">
        <h3>Token</h3>
        <p className="dim">
          Required for every /v1 request. New on each start
          {isDesktop ? (
            '. The page never sees it.'
          ) : (
            <>
              , unless set with <code className="mono">entail serve --token</code>.
            </>
          )}
        </p>
        <Button variant="default" onClick={() => void copyToken()}>
          Copy token
        </Button>
      </section>
      <section aria-label="curl">
        <h3>curl</h3>
        <p className="dim">Set ENTAIL_TOKEN to the token first.</p>
        <CopyLine label="curl command" text={curl} />
      </section>
      <section aria-label="Command line">
        <h3>Command line</h3>
        <CopyLine label="entail call command" text={commandLine} />
      </section>
      <section aria-label="TypeScript">
        <h3>TypeScript</h3>
        <p className="dim">
          The typed client of this page, from Entail’s sources. Has one method per route and runs in Node and browsers.
        </p>
        <CopyLine label="TypeScript example" text={typescript} />
      </section>
      <section aria-label="Description">
        <h3>Description</h3>
        <p className="dim">
          OpenAPI 3.1, to generate clients from: <code className="mono">GET /v1/openapi.json</code>
        </p>
      </section>
    </>
  );
}

/** Undefined in a browser, and until the host responds. */
function useRuntimePlace() {
  return useQuery({
    queryKey: ['host', 'place'],
    queryFn: () => host.runtimePlace?.() ?? null,
    enabled: host.runtimePlace !== undefined,
    staleTime: 0,
    // A starting runtime has no address yet.
    refetchInterval: (query) => (query.state.data?.address === undefined ? 500 : false),
  }).data;
}
