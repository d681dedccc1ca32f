/** `entail fmt`: brings module sources into the one style of the language, or says which are not in it. */

import { hasErrors } from '../base/diagnostic.js';
import { format } from '../language/format/index.js';
import { openModuleSource } from '../server/index.js';
import { isStandardInput, readShown, readSources, resolveFiles, STANDARD_INPUT } from './files.js';
import { formatDiagnostics } from './print-diagnostics.js';
import type { Terminal } from './terminal.js';

/**
 * Names the files that it changes, or with `check` would change, one a line; of standard input it writes the formatted text
 * to stdout. 1 where a file has syntax errors, which is left as it is, or with `check` where one is not formatted.
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
  if (check && changed.length > 0) terminal.error('entail fmt without --check formats them.\n');
  return hasErrors(errors) || (check && changed.length > 0) ? 1 : 0;
}

/** Writes nothing where there are syntax errors, so that an editor that takes the output for the text loses none. */
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
