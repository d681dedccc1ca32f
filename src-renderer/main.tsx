/** The page's start: theme, server state, routes. Each panel is a chunk of its own, loaded when first opened. */

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
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
import { queryClient } from './data/query-client.js';
import { NotFound, PanelCrash } from './shell/route-errors.js';
import { Shell } from './shell/shell.js';
import { styleNonce } from './theme/style-nonce.js';
import { cssVariablesResolver, theme } from './theme/theme.js';

const router = createBrowserRouter([
  {
    path: '/',
    element: <Shell />,
    // The shell is there at once; a panel's chunk is a moment away.
    HydrateFallback: () => null,
    children: [
      { index: true, element: <Navigate to="/module" replace /> },
      {
        errorElement: <PanelCrash />,
        children: [
          { path: 'module', lazy: async () => ({ Component: (await import('./module/module-panel.js')).ModulePanel }) },
          { path: 'invoke', lazy: async () => ({ Component: (await import('./invoke/invoke-panel.js')).InvokePanel }) },
          {
            path: 'explain',
            lazy: async () => ({ Component: (await import('./explain/explain-panel.js')).ExplainPanel }),
          },
          { path: '*', element: <NotFound /> },
        ],
      },
    ],
  },
]);

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
          <Notifications position="bottom-right" autoClose={4000} limit={3} />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
