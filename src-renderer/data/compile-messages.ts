/** What the page and the compiler's worker say to each other. */

import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { Span } from '../../src-runtime/base/span.js';
import type { SourceFile } from './api.js';

export type OutlineKind =
  | 'enum'
  | 'concept'
  | 'relation'
  | 'individual'
  | 'fact'
  | 'derive'
  | 'define'
  | 'check'
  | 'query'
  | 'mutation'
  | 'fn'
  | 'context'
  | 'extern'
  | 'test';

export interface OutlineItem {
  readonly kind: OutlineKind;
  readonly name: string;
  readonly public: boolean;
  /** The whole item. */
  readonly span: Span;
  /** Clauses of one derived relation, and facts of one relation in a row, count as one item. */
  readonly parts: number;
}

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
