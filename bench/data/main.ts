/**
 * `npm run bench:data`: moving data in and out, beside databases that do the same in the same run. It measures the built command line,
 * so run `npm run build` before. Names of parts after `--` select them: `npm run bench:data -- import`.
 */
/// <reference types="vite/client" />

import { type Part, runParts } from '../run-parts.js';

await runParts(import.meta.glob<Part>(['./*.ts', '!./main.ts']));
