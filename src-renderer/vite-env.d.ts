/** Types of what the bundler adds: styles, assets and workers imported by address. */

/// <reference types="vite/client" />

/** What the program is made with, filled in as the page is built. */
declare const __LICENCES__: readonly { readonly name: string; readonly version: string; readonly licence: string }[];
