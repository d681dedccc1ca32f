/** Messages between the page and the compiler's worker. */

import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { Span } from '../../src-runtime/base/span.js';
import type {
  Completions,
  FoldingRange,
  Hover,
  OutlineItem,
  QuickFix,
  Reference,
  RenameOutcome,
  SignatureHelp,
  TextEdit,
} from '../../src-runtime/language/service/index.js';
import type { FormParameter } from '../model/calls/form-model.js';
import type { Declarations } from '../model/facts/declarations.js';
import type { SourceFile } from '../server-state/api.js';

export interface AdhocAnalysis {
  readonly diagnostics: readonly Diagnostic[];
  /** That change only the text. */
  readonly fixes: readonly QuickFix[];
  /** The parameters of its query or mutation. */
  readonly parameters: readonly FormParameter[];
}

/** The language service requests, and the type of each response. */
export interface ServiceResults {
  readonly complete: Completions;
  readonly hover: Hover | null;
  readonly signature: SignatureHelp | null;
  readonly definition: readonly Span[];
  readonly references: readonly Reference[];
  /** The name at the offset, or why it cannot be renamed. */
  readonly prepareRename:
    | { readonly ok: true; readonly span: Span; readonly name: string }
    | { readonly ok: false; readonly reason: string };
  readonly rename: RenameOutcome;
  readonly format: readonly TextEdit[];
  /** For the ad-hoc text that starts at the offset. */
  readonly adhoc: AdhocAnalysis;
}

export type ServiceMethod = keyof ServiceResults;

export interface ServiceRequest {
  readonly kind: ServiceMethod;
  readonly file: string;
  readonly offset: number;
  /** For `rename`. */
  readonly newName?: string;
}

export type WorkerRequest =
  | { readonly kind: 'compile'; readonly id: number; readonly files: readonly SourceFile[] }
  /** Answered over these texts, which may be newer than those compiled last. */
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly files: readonly SourceFile[];
      readonly request: ServiceRequest;
    };

export interface FileView {
  readonly outline: readonly OutlineItem[];
  readonly folds: readonly FoldingRange[];
  readonly fixes: readonly QuickFix[];
}

export interface CompileResponse {
  readonly kind: 'compiled';
  readonly id: number;
  /** The hash of the module that a server running these texts has. Undefined if they do not compile. */
  readonly moduleHash: string | undefined;
  /** The hash of the declarations that stored facts depend on. */
  readonly schemaHash: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Keyed by file name. */
  readonly views: Readonly<Record<string, FileView>>;
  /** From all files, errors or not. */
  readonly declarations: Declarations;
  readonly durationMs: number;
}

export type WorkerResponse =
  | CompileResponse
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown };
