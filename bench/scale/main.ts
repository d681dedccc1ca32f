/**
 * `npm run bench:scale`: several servers on PostgreSQL, of which it starts one. Names of parts after `--` select them:
 * `npm run bench:scale -- append`.
 */
/// <reference types="vite/client" />

import { type Part, runParts } from '../run-parts.js';

await runParts(import.meta.glob<Part>(['./*.ts', '!./main.ts']));
