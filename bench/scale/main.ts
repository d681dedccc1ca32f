/**
 * `npm run bench:scale`: several servers on PostgreSQL, which it starts. Names of parts after `--` select them:
 * `npm run bench:scale -- append servers`.
 */
/// <reference types="vite/client" />

import { type Part, runParts } from '../run-parts.js';

await runParts(import.meta.glob<Part>(['./*.ts', '!./{main,system}.ts']));
