#!/usr/bin/env node
/** The entry of the command line. */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { runProgram } from './program.js';
import { findInstallation, processTerminal } from './terminal.js';

const folder = dirname(fileURLToPath(import.meta.url));
const installation = findInstallation(folder, packageJson.version);

// `npx entail` opens the workbench. In a checkout `npm start` does, and a missing command is a mistake.
const isInstalled = /[\\/]node_modules[\\/]/.test(folder);
const args = process.argv.slice(2);

// Setting the code, rather than exiting with it, lets what was written reach a pipe first.
process.exitCode = await runProgram(
  isInstalled && args.length === 0 ? ['workbench'] : args,
  installation,
  processTerminal(),
);
