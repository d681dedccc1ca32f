/** `entail data`: looks after a folder of facts that no server has open. */

import { join, relative } from 'node:path';
import pino from 'pino';
import { checkData, compileToBytes, dataInfo, findingsOf, foundIn, repairData } from '../server/index.js';
import { readSources } from './files.js';
import { formatDiagnostics } from './print-diagnostics.js';
import type { Terminal } from './terminal.js';

const silent = pino({ level: 'silent' });

/** Returns 1 if it finds damage, and names file and offset. */
export async function dataCheckCommand(folder: string, files: readonly string[], terminal: Terminal): Promise<number> {
  const sources = files.length === 0 ? undefined : await readSources(files, terminal);
  const compiled = sources && compileToBytes(sources);
  if (sources !== undefined && compiled?.bytes === undefined) {
    terminal.error(formatDiagnostics(compiled?.diagnostics ?? [], sources, terminal.colour));
    return 1;
  }
  const report = await checkData(folder, sources, silent);
  const findings = findingsOf(report);
  for (const line of findings) terminal.out(`${line}\n`);
  if (report.damage.length > 0)
    terminal.error(`hint: Restore a backup, or save what is readable: entail data repair ${folder} -o NEW\n`);
  if (findings.length > 0) return 1;
  const { scopes } = report;
  if (scopes === undefined) {
    terminal.out('The files are sound. Name the sources of the module to check the facts too.\n');
    return 0;
  }
  const facts = scopes.reduce((sum, scope) => sum + scope.facts, 0);
  terminal.out(`Sound: all files, and ${counted(facts, 'fact')} in ${counted(scopes.length, 'scope')}.\n`);
  return 0;
}

/** Returns 1 if the new folder lacks something. Prints what it holds as a line of JSON. */
export async function dataRepairCommand(folder: string, output: string, terminal: Terminal): Promise<number> {
  const log = { info: () => undefined, warn: (_fields: object, message: string) => terminal.error(`${message}\n`) };
  const { counts, lost } = await repairData(folder, output, log);
  for (const { problem } of lost) terminal.error(`not copied: ${foundIn(problem)}\n`);
  terminal.out(`${JSON.stringify({ data: output, ...counts, lost: lost.length })}\n`);
  return lost.length === 0 ? 0 : 1;
}

export async function dataInfoCommand(folder: string, terminal: Terminal): Promise<number> {
  const { files, scopes, sources, damage } = await dataInfo(folder, silent);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const changed = new Date(Math.max(...files.map(({ changedAt }) => changedAt.getTime())));
  terminal.out(`${folder}: ${sized(bytes)} in ${counted(files.length, 'file')}, changed ${changed.toISOString()}\n`);
  if (sources.length > 0) terminal.out(`sources: ${sources.join(', ')}\n`);
  for (const { record, last, forks } of scopes) {
    const open = forks.filter(({ status }) => status === 'open').length;
    terminal.out(
      `scope ${record.scopeId}: tenant ${record.tenant}, last transaction ${last.txn}, last event ${last.seq}, ${counted(forks.length, 'fork')} (${open} open)\n`,
    );
  }
  for (const { name, bytes: size } of files)
    terminal.out(`  ${relative(folder, join(folder, name))}  ${sized(size)}\n`);
  for (const { problem } of damage) terminal.error(`${foundIn(problem)}\n`);
  return damage.length === 0 ? 0 : 1;
}

function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

function sized(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
