/** The formatter: prints a module in the language's only style, with every comment at its place. */

import { type Checked, hasErrors } from '../../base/diagnostic.js';
import { tokenize } from '../lexer.js';
import { parseModule } from '../parser/module.js';
import { layItem } from './items.js';
import { Layout } from './layout.js';
import { Printer } from './printer.js';

/** The formatted text; a text with syntax errors is returned unchanged. Formatting twice equals formatting once. */
export function format(file: string, text: string): Checked<string> {
  const { value: module, diagnostics } = parseModule(file, text);
  if (hasErrors(diagnostics)) return { value: text, diagnostics };
  const layout = new Layout(tokenize(file, text));
  layout.item(0);
  for (const item of module.items) layItem(layout, item);
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = new Printer(layout).print().split(/\r\n|\r|\n/);
  return { value: mark + lines.join(lineEndOf(text)), diagnostics };
}

/** The line end that the text uses first. */
function lineEndOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
}
