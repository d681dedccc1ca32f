/** The page's start: theme, server state, routes. Each panel is a chunk of its own, loaded when first opened. */

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Navigate } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/motion.css';
import { startCompiler } from './data/compiler.js';
import { followHeading } from './data/open-first.js';
import { askFirst } from './data/queries.js';
import { queryClient } from './data/query-client.js';
import { firstPlace } from './shell/panel-places.js';
import { PANELS } from './shell/panels.js';
import { NotFound, PanelCrash } from './shell/route-errors.js';
import { Shell } from './shell/shell.js';
import { styleNonce } from './theme/style-nonce.js';
import { cssVariablesResolver, theme } from './theme/theme.js';

// Nothing waits for what comes after it: the first answers, the compiler and the panel's chunk are on their way from here on.
askFirst(queryClient);
const { pathname } = window.location;
void PANELS.find(({ to }) => to === (pathname === '/' ? '/module' : pathname))?.load();
startCompiler();

const router = createBrowserRouter([
  {
    path: '/',
    element: <Shell />,
    // The shell is there at once; a panel's chunk is a moment away.
    HydrateFallback: () => null,
    children: [
      { index: true, element: <Navigate to={firstPlace()} replace /> },
      {
        errorElement: <PanelCrash />,
        children: [
          ...PANELS.map(({ to, load }) => ({ path: to.slice(1), lazy: async () => ({ Component: await load() }) })),
          { path: '*', element: <NotFound /> },
        ],
      },
    ],
  },
]);

followHeading(router);

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        cssVariablesResolver={cssVariablesResolver}
        getStyleNonce={() => styleNonce() ?? ''}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
