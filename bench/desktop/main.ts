/**
 * `npm run bench:desktop`: start and memory of the desktop beside a bare Electron window, in alternating runs of one Electron.
 * The application runs from an archive, as it is installed. It needs a build and a display: `xvfb-run -a npm run bench:desktop`.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPackage } from '@electron/asar';
import { writeCodeCache } from '../../scripts/code-cache.mjs';
import { electronArguments, electronDistribution } from '../../scripts/electron-binary.mjs';
import { median } from '../engine/peer.js';
import type { Moment } from './observer.js';

/** By default memory counts right after the start. After 40 seconds V8 has collected what the start left. */
const IDLE_SECONDS = 6;

const PROGRAMS = ['bare', 'entail'] as const;
type Program = (typeof PROGRAMS)[number];

interface Run {
  readonly readyMs: number;
  readonly shownMs: number;
  readonly interactiveMs: number;
  /** Of all processes, until the window is interactive. */
  readonly cpuMs: number;
  readonly processes: readonly Process[];
}

interface Process {
  readonly name: string;
  readonly megabytes: number;
}

const BARE_MAIN = `import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';
app.whenReady().then(() => new BrowserWindow().loadFile(join(import.meta.dirname, 'index.html')));
app.on('window-all-closed', () => app.quit());
`;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string' },
      idle: { type: 'string' },
      only: { type: 'string' },
      processes: { type: 'boolean' },
    },
  });
  const idleMs = Number(values.idle ?? IDLE_SECONDS) * 1_000;
  const wanted = PROGRAMS.filter((program) => values.only === undefined || values.only === program);
  if (process.platform !== 'linux') throw new Error('The benchmark reads the memory of processes from /proc.');
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-desktop-'));
  try {
    const executable = await install(folder);
    const runs: Record<Program, Run[]> = { bare: [], entail: [] };
    // The first starts fill the caches of the user's folder.
    for (let warming = 0; warming < 2; warming++)
      for (const program of wanted) await measure(executable, program, folder, 1_000);
    for (let run = 0; run < Number(values.runs ?? 9); run++) {
      for (const program of wanted) runs[program].push(await measure(executable, program, folder, idleMs));
    }
    report(runs, values.processes === true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies Electron with the observer as its application, and our application beside it in an archive. Returns the executable. */
async function install(folder: string): Promise<string> {
  const named = process.env['ENTAIL_ELECTRON'];
  const distribution = named ? dirname(named) : electronDistribution();
  if (distribution === undefined) throw new Error('No Electron found. Set ENTAIL_ELECTRON to its executable.');
  const electron = join(folder, 'electron');
  linked(distribution, electron);
  const resources = join(electron, 'resources');
  const app = join(resources, 'app');
  rmSync(app, { recursive: true, force: true });
  mkdirSync(app, { recursive: true });
  cpSync(join(import.meta.dirname, 'observer.mjs'), join(app, 'main.mjs'));
  writeFileSync(join(app, 'package.json'), '{ "name": "observer", "version": "0.0.0", "main": "main.mjs" }');

  const root = join(import.meta.dirname, '../../..');
  if (!writeCodeCache(distribution, root)) throw new Error('The application does not start.');
  const packed = join(folder, 'packed');
  for (const part of [
    'package.json',
    'out/main',
    'out/preload',
    'out/renderer',
    'resources/modules',
    'resources/icons',
  ])
    cpSync(join(root, part), join(packed, part), { recursive: true, filter: (path) => !path.endsWith('.map') });
  for (const part of ['package.json', 'dist/sql-wasm.js', 'dist/sql-wasm.wasm'])
    cpSync(join(root, 'node_modules/sql.js', part), join(packed, 'node_modules/sql.js', part));
  await createPackage(packed, join(resources, 'entail.asar'));

  const bare = join(resources, 'bare');
  mkdirSync(bare);
  writeFileSync(join(bare, 'index.mjs'), BARE_MAIN);
  writeFileSync(join(bare, 'index.html'), '<!doctype html><title>Bare</title>');
  return join(electron, 'observed');
}

/** Links files instead of copying 250 MB. Electron looks for its resources beside its executable, so the folders are new. */
function linked(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // Electron takes an executable of this name for one that is not packed.
    const target = join(to, entry.name === 'electron' ? 'observed' : entry.name);
    if (entry.isDirectory()) linked(join(from, entry.name), target);
    else link(join(from, entry.name), target);
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another file system.
    cpSync(from, to);
  }
}

async function measure(executable: string, program: Program, folder: string, idleMs: number): Promise<Run> {
  const resources = join(dirname(executable), 'resources');
  const entry =
    program === 'bare' ? join(resources, 'bare/index.mjs') : join(resources, 'entail.asar/out/main/index.js');
  const startedMs = Date.now();
  const child = spawn(executable, electronArguments(), {
    // A session of its own finds all processes, also those whose parent has ended.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      BENCH_ENTRY: entry,
      BENCH_EDITS: String(program === 'entail'),
      ENTAIL_USER_DATA: join(folder, `${program}-data`),
      XDG_CONFIG_HOME: join(folder, `${program}-config`),
    },
  });
  try {
    const moments = await momentsOf(child);
    const cpuMs = processesOf(child).reduce((sum, { pid }) => sum + cpuOf(pid), 0);
    await pause(idleMs);
    const processes = processesOf(child).map(({ pid, name }) => ({ name, megabytes: memoryOf(pid) }));
    return {
      readyMs: moments.ready - startedMs,
      shownMs: moments.shown - startedMs,
      interactiveMs: moments.interactive - startedMs,
      cpuMs,
      processes,
    };
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

/** Resolves once the window is interactive. */
async function momentsOf(child: ChildProcess): Promise<Readonly<Record<Moment, number>>> {
  const moments = { ready: 0, shown: 0, interactive: 0 };
  if (child.stdout === null) throw new Error('no output');
  for await (const line of createInterface(child.stdout)) {
    const [, moment, at] = /^moment (ready|shown|interactive) ([\d.]+)$/.exec(line) ?? [];
    if (moment === undefined) continue;
    moments[moment as Moment] ||= Number(at);
    if (moment === 'interactive') return moments;
  }
  throw new Error('The window ended before it was interactive.');
}

interface ProcessId {
  readonly pid: string;
  readonly name: string;
}

function processesOf({ pid: session }: ChildProcess): readonly ProcessId[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || statOf(pid)[3] !== String(session)) return [];
    const line = readText(pid, 'cmdline');
    const [, type] = /--type=([\w-]+)/.exec(line) ?? [];
    const [, service] = /--utility-sub-type=([\w.]+)/.exec(line) ?? [];
    return [{ pid, name: service ?? type ?? (line.includes('crashpad') ? 'crashpad' : 'main') }];
  });
}

/** The fields of `/proc/PID/stat` that follow the name. */
function statOf(pid: string): readonly string[] {
  const stat = readText(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function cpuOf(pid: string): number {
  const fields = statOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}

/** Shared pages count in part for each process that has them. */
function memoryOf(pid: string): number {
  const [, kilobytes = '0'] = /^Pss: +(\d+) kB/m.exec(readText(pid, 'smaps_rollup')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Empty if the process has ended. */
function readText(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function report(runs: Readonly<Record<Program, readonly Run[]>>, withProcesses: boolean): void {
  const of = (program: Program, figure: (run: Run) => number): number => median(runs[program].map(figure));
  const row = (name: string, unit: string, figure: (run: Run) => number): void => {
    const [bare, entail] = [of('bare', figure), of('entail', figure)];
    const ratios = runs.entail.map((run, at) => figure(run) / figure(runs.bare[at] ?? run));
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const cells = [`${bare.toFixed(0)} ${unit}`, `${entail.toFixed(0)} ${unit}`, median(ratios).toFixed(2), spread];
    print(`${name.padEnd(26)}${cells.map((cell) => cell.padStart(14)).join('')}`);
  };
  print(`${''.padEnd(26)}${['bare window', 'Entail', 'ratio', 'of each pair'].map((c) => c.padStart(14)).join('')}`);
  row('Electron ready', 'ms', (run) => run.readyMs);
  row('window shown', 'ms', (run) => run.shownMs);
  row('interactive', 'ms', (run) => run.interactiveMs);
  row('CPU until interactive', 'ms', (run) => run.cpuMs);
  row('memory, idle', 'MB', ({ processes }) => processes.reduce((sum, { megabytes }) => sum + megabytes, 0));
  if (!withProcesses) return;
  const names = new Set([...runs.bare, ...runs.entail].flatMap(({ processes }) => processes.map(({ name }) => name)));
  for (const name of names) {
    row(`  ${name}`, 'MB', ({ processes }) =>
      processes.filter((each) => each.name === name).reduce((sum, { megabytes }) => sum + megabytes, 0),
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
