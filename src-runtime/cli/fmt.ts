/** `entail fmt`: formats module sources, or lists those that are not formatted. */

import { hasErrors } from '../base/diagnostic.js';
import { format } from '../language/format/index.js';
import { openModuleSource } from '../server/index.js';
import { isStandardInput, readShown, readSources, resolveFiles } from './files.js';
import { formatDiagnostics } from './print-diagnostics.js';
import { STANDARD_INPUT, type Terminal } from './terminal.js';

/**
 * Lists the files that it changes, or with `check` would change, one per line. For standard input, writes the formatted text to stdout.
 * Returns 1 if a file has syntax errors, which leaves it unchanged, or with `check` if a file is not formatted.
 */
export async function fmtCommand(
  files: readonly string[],
  { check = false }: { check?: boolean },
  terminal: Terminal,
): Promise<number> {
  if (isStandardInput(files)) return await formatInput(check, terminal);
  const module = openModuleSource(await resolveFiles(files));
  const sources = await readShown(module, files);
  const results = sources.map((source) => ({ ...source, ...format(source.file, source.text) }));
  const changed = results.filter(({ text, value }) => value !== text);
  if (!check) await module.write(changed.map(({ file, value }) => ({ file, text: value })));
  for (const { shown } of changed) terminal.out(`${shown}\n`);
  const errors = results.flatMap(({ diagnostics }) => diagnostics).filter((each) => each.severity === 'error');
  if (errors.length > 0) terminal.error(formatDiagnostics(errors, sources, terminal.colour));
  if (check && changed.length > 0) terminal.error('Run entail fmt without --check to format them.\n');
  return hasErrors(errors) || (check && changed.length > 0) ? 1 : 0;
}

/** Writes nothing if there are syntax errors, so an editor that replaces its text by the output loses nothing. */
async function formatInput(check: boolean, terminal: Terminal): Promise<number> {
  const sources = await readSources([STANDARD_INPUT], terminal);
  const [{ file, text } = { file: STANDARD_INPUT, text: '' }] = sources;
  const { value, diagnostics } = format(file, text);
  const errors = diagnostics.filter((each) => each.severity === 'error');
  if (errors.length > 0) terminal.error(formatDiagnostics(errors, sources, terminal.colour));
  else if (!check) terminal.out(value);
  else if (value !== text) terminal.out(`${file}\n`);
  return errors.length > 0 || (check && value !== text) ? 1 : 0;
}
