/** What the page and the compiler's worker say to each other. */

import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { OutlineItem } from '../../src-runtime/language/service/index.js';
import type { SourceFile } from './api.js';

export interface CompileRequest {
  readonly id: number;
  readonly files: readonly SourceFile[];
}

export interface CompileReply {
  readonly id: number;
  /** The hash that a server running these texts has; undefined where they do not compile. */
  readonly moduleHash: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** By file name. */
  readonly outlines: Readonly<Record<string, readonly OutlineItem[]>>;
  readonly durationMs: number;
}
