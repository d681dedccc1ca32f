/** Inlay hints with the number of bindings left after each condition, as a running server counts them. */

import type { InlayHint, Range } from 'vscode-languageserver/node';
import type { Span } from '../base/span.js';
import type { Analysis } from '../language/service/index.js';

/** A condition with its count, in the names of the server's files. */
export interface CountedCondition {
  readonly span: Span;
  /** Null while it waits for variables of later conditions. */
  readonly bindings: number | null;
  /** There are more than `bindings`. */
  readonly more?: boolean | undefined;
  /** The first bindings, each as one line. */
  readonly examples: readonly string[];
}

/** A running server. A request fails if it cannot be reached, and the hints stay away then. */
export interface LiveServer {
  /** The files of its module, as its spans name them. */
  files(): Promise<readonly string[]>;
  /** The conditions of the declaration at an offset under these texts. */
  conditionsAt(
    texts: readonly { readonly file: string; readonly text: string }[],
    file: string,
    offset: number,
    signal: AbortSignal,
  ): Promise<readonly CountedCondition[]>;
}

/** Each declaration is a request. */
const DECLARATIONS_MAX = 30;

const COUNTED: ReadonlySet<string> = new Set(['derive', 'define', 'check', 'query']);

/** Hints of the declarations in the range, one after the other; empty if the server does not serve the file. */
export async function liveHints(
  server: LiveServer,
  { sources, modules }: Analysis,
  uri: string,
  range: Range,
  signal: AbortSignal,
): Promise<InlayHint[]> {
  const names = await server.files();
  const nameOf = (file: string) => names.find((name) => decodeURIComponent(file).endsWith(`/${name}`));
  const texts = sources.flatMap(({ file, text }) => {
    const name = nameOf(file);
    return name === undefined ? [] : [{ file: name, text }];
  });
  const file = nameOf(uri);
  const module = modules[sources.findIndex((source) => source.file === uri)];
  if (file === undefined || module === undefined) return [];
  const shown = module.items.filter(
    ({ kind, span }) =>
      COUNTED.has(kind) && span.start.line - 1 <= range.end.line && span.end.line - 1 >= range.start.line,
  );
  const hints = new Map<number, InlayHint>();
  for (const { span } of shown.slice(0, DECLARATIONS_MAX)) {
    if (signal.aborted) return [];
    // Clauses of one derive come together.
    for (const counted of await server.conditionsAt(texts, file, span.start.offset, signal)) {
      if (counted.bindings !== null) hints.set(counted.span.end.offset, hintOf(counted));
    }
  }
  return [...hints.values()];
}

function hintOf({ span, bindings, more = false, examples }: CountedCondition): InlayHint {
  return {
    position: { line: span.end.line - 1, character: span.end.column - 1 },
    label: `→ ${bindings}${more ? '+' : ''}`,
    paddingLeft: true,
    ...(examples.length > 0 && { tooltip: examples.join('\n') }),
  };
}
