/** The shape of a row of the registry of diagnostics: what a code means, an example of the mistake, and the fix. */

import type { Severity } from '../../base/diagnostic.js';

/** One code. It never changes its meaning. */
export interface CodeRow extends CodeText {
  readonly severity: Severity;
}

export interface CodeText {
  readonly title: string;
  /** What is wrong, in full sentences. */
  readonly meaning: string;
  /**
   * An example with this finding and no other; `⟦…⟧` marks its span. A text that starts with `module` is a module, or several if
   * several lines start so. Any other text is appended to `EXAMPLE_FRAME`, unless `alone` makes it a whole file.
   */
  readonly failing: string;
  /** The corrected example. It compiles without findings. */
  readonly fixed: string;
  /** How to correct it, in one or two sentences. */
  readonly fix: string;
  readonly alone?: true;
  /** The example is an ad-hoc source, checked against `EXAMPLE_FRAME`. */
  readonly adhoc?: true;
}

export function error(text: CodeText): CodeRow {
  return { ...text, severity: 'error' };
}

export function warning(text: CodeText): CodeRow {
  return { ...text, severity: 'warning' };
}
