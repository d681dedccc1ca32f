/** Types of what the bundler adds: styles, assets and workers imported by address. */

/// <reference types="vite/client" />
