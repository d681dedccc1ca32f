#!/usr/bin/env node
/** The entry of the command line. */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { runProgram } from './program.js';
import { findPage } from './serve.js';
import { processTerminal } from './terminal.js';

const folder = dirname(fileURLToPath(import.meta.url));
const installation = { version: packageJson.version, page: findPage(folder) };

// Setting the code, rather than exiting with it, lets what was written reach a pipe first.
process.exitCode = await runProgram(process.argv.slice(2), installation, processTerminal());
