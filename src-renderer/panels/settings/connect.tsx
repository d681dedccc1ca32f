/** How to connect a client: address, token and examples. */

import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadingRows } from '../../domain/failure/states.js';
import { host } from '../../host/current-host.js';
import type { HostSettings } from '../../host/host.js';
import { useSchema } from '../../server-state/module.js';
import { CopyLine } from '../../ui/copy-line.js';
import { copyToken } from '../../ui/copy-token.js';
import { exampleCalls } from './example-calls.js';
import { changeChoices, useServerChoices } from './server-form.js';
import styles from './settings.module.css';

const isDesktop = host.kind === 'electron';
const TOKEN_HINT = isDesktop ? 'The copy sets ENTAIL_TOKEN first.' : 'Set ENTAIL_TOKEN to the token first.';

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
        {host.settings !== undefined && <PortField settings={host.settings} address={address} />}
      </section>
      <section aria-label="Token">
        <h3>Token</h3>
        <p className="dim">
          Required for every /v1 request.{' '}
          {isDesktop ? (
            'It stays the same until you replace it. The page never sees it.'
          ) : (
            <>
              New on each start, unless set with <code className="mono">entail serve --token</code>.
            </>
          )}
        </p>
        <div className={styles.buttons}>
          <Button variant="default" onClick={() => void copyToken()}>
            Copy token
          </Button>
          {host.settings !== undefined && <TokenButtons settings={host.settings} />}
        </div>
      </section>
      <section aria-label="curl">
        <h3>curl</h3>
        <p className="dim">{TOKEN_HINT}</p>
        <CopyLine label="curl command" text={curl} onCopy={host.copyCommand} />
      </section>
      <section aria-label="Command line">
        <h3>Command line</h3>
        <p className="dim">{TOKEN_HINT}</p>
        <CopyLine label="entail call command" text={commandLine} onCopy={host.copyCommand} />
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

function TokenButtons({ settings }: { readonly settings: HostSettings }) {
  const replace = async () => {
    if (await settings.replaceToken()) notifications.show({ message: 'Token replaced. Copy the new one.' });
  };
  return (
    <>
      <Button variant="default" onClick={() => void settings.showToken()}>
        Show token…
      </Button>
      <Button variant="default" onClick={() => void replace()}>
        Replace token…
      </Button>
    </>
  );
}

const PORT = /^\d{4,5}$/;

/** The port that the server uses after each start. */
function PortField({ settings, address }: { readonly settings: HostSettings; readonly address: string }) {
  const saved = useServerChoices(settings)?.port;
  const [typed, setTyped] = useState<string>();
  const text = typed ?? String(saved ?? '');
  const port = text === '' ? undefined : Number(text);
  const isValid = text === '' || (PORT.test(text) && Number(text) >= 1024 && Number(text) <= 65_535);
  const isTaken = saved !== undefined && new URL(address).port !== String(saved);
  return (
    <form
      className={styles.portField}
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) void changeChoices(settings, { port }).then(() => setTyped(undefined));
      }}
    >
      <TextInput
        label="Port"
        description="Stays the same on each start. Empty takes any free port."
        placeholder="any"
        inputMode="numeric"
        value={text}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={
          !isValid
            ? 'Enter a number from 1024 to 65535.'
            : isTaken && `Another program or window uses port ${saved}. This window uses ${new URL(address).port}.`
        }
      />
      <Button type="submit" variant="default" disabled={!isValid || port === saved}>
        Apply port
      </Button>
    </form>
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
