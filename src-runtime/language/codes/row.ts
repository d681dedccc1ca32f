/** The shape of the registry of diagnostics: what each code means, a mistake that it stands for, and the cure. */

import type { Severity } from '../../base/diagnostic.js';

/** One code. It never changes its meaning. */
export interface CodeRow extends CodeText {
  readonly severity: Severity;
}

export interface CodeText {
  readonly title: string;
  /** What is wrong, in whole sentences. */
  readonly meaning: string;
  /**
   * A mistake with this one finding; `⟦…⟧` marks its place. A text that begins with `module` stands alone (several
   * files where several lines do); any other continues `EXAMPLE_FRAME`, unless `alone` says that it is a whole file.
   */
  readonly failing: string;
  /** The same mended: it compiles without any finding. */
  readonly cured: string;
  /** How it was mended, as one sentence. */
  readonly cure: string;
  readonly alone?: true;
  /** The example is no part of the module, but an ad-hoc source against it. */
  readonly adhoc?: true;
}

export function error(text: CodeText): CodeRow {
  return { ...text, severity: 'error' };
}

export function warning(text: CodeText): CodeRow {
  return { ...text, severity: 'warning' };
}
