/**
 * Starts the page: theme, server state, routes. Each panel is a separate chunk, loaded when it is opened or, in a browser, when the
 * page is idle.
 */

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, type DataRouter, Navigate } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './theme/base.css';
import './theme/values.css';
import './theme/syntax.css';
import './theme/tables.css';
import './theme/inputs.css';
import './theme/motion.css';
import './theme/forced-colors.css';
import { Button } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { Link, useRouteError } from 'react-router';
import { initialLocation } from './app/last-locations.js';
import { PANELS } from './app/panels.js';
import { Shell } from './app/shell.js';
import { loadFailureFacts } from './domain/failure/failure-view.js';
import { Empty } from './domain/failure/states.js';
import { host } from './host/current-host.js';
import { currentFork, placeContext } from './model/calls/place.js';
import { checkStatesAt } from './server-state/checks.js';
import { forksIn } from './server-state/forks.js';
import { loadPart } from './server-state/load-part.js';
import { askFirst, isSchemaKnown } from './server-state/module.js';
import { queryClient } from './server-state/query-client.js';
import { TESTS } from './server-state/tests.js';
import { whenIdle } from './state/after-paint.js';
import { followHeading } from './state/heading.js';
import { styleNonce } from './theme/style-nonce.js';
import { cssVariablesResolver, theme } from './theme/theme.js';

// The first requests and the panel's chunk load in parallel.
const answers = askFirst(queryClient).then(() => askFirstFacts(queryClient));
// Starting at the panel's address avoids a navigation, which would render the page twice.
if (window.location.pathname === '/') window.history.replaceState(null, '', initialLocation());
const open = PANELS.find(({ to }) => to === window.location.pathname);

/** How long the first render waits for the first responses, so that the page is rendered only once. */
const FIRST_ANSWERS_MS = 300;

void makePage();

async function makePage(): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, FIRST_ANSWERS_MS));
  // If the panel fails to load, its route loads it again and shows the error.
  const [Panel] = await Promise.all([
    open?.load().catch(() => undefined),
    Promise.race([Promise.all([answers, loadFonts()]), patience]),
  ]);
  const router = routerWith(Panel);
  followHeading(router);
  const root = document.getElementById('root');
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        cssVariablesResolver={cssVariablesResolver}
        getStyleNonce={() => styleNonce() ?? ''}
      >
        <QueryClientProvider client={queryClient}>
          {/* Without transitions, a click is rendered before the next key or click. */}
          <RouterProvider router={router} useTransitions={false} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
  // The desktop has every part on its disk. Loading all of them would take 12 MB more memory (bench:desktop).
  if (host.kind === 'browser')
    void answers.finally(() => loadAhead([loadFailureFacts, ...PANELS.map(({ load }) => load)]));
}

/** Otherwise the first layout looks for a system font in each size and weight, and a second layout follows. */
async function loadFonts(): Promise<void> {
  const fonts = ["1em 'Inter Variable'", "1em 'JetBrains Mono Variable'"];
  await Promise.allSettled(fonts.map((font) => document.fonts.load(font)));
}

/** `Panel` is the panel that is open, if it is loaded. */
function routerWith(Panel: ComponentType | undefined): DataRouter {
  return createBrowserRouter([
    {
      path: '/',
      element: <Shell />,
      // The shell renders at once; a panel's chunk follows in a moment.
      HydrateFallback: () => null,
      children: [
        { index: true, element: <Navigate to={initialLocation()} replace /> },
        {
          errorElement: <PanelCrash />,
          children: [
            ...PANELS.map(({ to, load }) => ({
              path: to.slice(1),
              ...(to === open?.to && Panel !== undefined
                ? { Component: Panel }
                : { lazy: async () => ({ Component: await loadPart(load) }) }),
            })),
            { path: 'docs/*', lazy: async () => ({ Component: await loadPart(loadDocs) }) },
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ]);
}

/** The docs have addresses below `/docs/`, so they are not a panel of the rail. */
async function loadDocs(): Promise<ComponentType> {
  return (await import('./panels/docs/docs-panel.js')).DocsPanel;
}

/** Prefetches lists if the context that the module requires is known. The views that show them report failures. */
async function askFirstFacts(client: QueryClient): Promise<void> {
  if (!isSchemaKnown(client)) return;
  const context = placeContext.get();
  await Promise.all([
    client.prefetchQuery(checkStatesAt({ context, fork: currentFork.get() })),
    client.prefetchQuery(forksIn(context)),
    client.prefetchQuery(TESTS),
  ]);
}

/** Loads one part after the other while the page is idle. A part that fails is loaded again when it is opened. */
function loadAhead(loads: readonly (() => Promise<unknown>)[]): void {
  const [load, ...others] = loads;
  if (load === undefined) return;
  whenIdle(
    () =>
      void load()
        .then(ignore, ignore)
        .then(() => loadAhead(others)),
  );
}

function ignore(): void {}

/** Replaces a panel for an unknown address; `PanelCrash` replaces one that failed to render. */
function NotFound() {
  return (
    <Empty title="Page not found">
      <p>
        Select a panel on the left, or{' '}
        <Link className="link" to="/module">
          open Module
        </Link>
        .
      </p>
    </Empty>
  );
}

function PanelCrash() {
  const error = useRouteError();
  return (
    <Empty title="This panel stopped working">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p>Your input is kept. Reload the page to restore the panel.</p>
      <Button variant="default" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </Empty>
  );
}
