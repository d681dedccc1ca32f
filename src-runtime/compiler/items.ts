/** Compiles one query, derive or mutation outside the sources against the declarations of an artifact. */

import type * as ir from '../artifact/index.js';
import type { Diagnostic } from '../base/diagnostic.js';
import { hasErrors } from '../base/diagnostic.js';
import { invariant } from '../base/invariant.js';
import type { Span } from '../base/span.js';
import type { Item as ItemSyntax, ModuleSyntax } from '../language/ast.js';
import { type CheckedProgram, checkModules } from '../language/check/index.js';
import type { CodeName } from '../language/codes/registry.js';
import { toDiagnostic } from '../language/finding.js';
import { parseItems } from '../language/parser/module.js';
import { declaredSymbols } from './declared-symbols.js';
import { lowerMutation, lowerQuery, lowerRule } from './lower-program.js';
import type { Lowering } from './lowering.js';

export type Item =
  | { readonly kind: 'query'; readonly declaration: ir.QueryDeclaration }
  /** All clauses of one name. */
  | { readonly kind: 'derive'; readonly declaration: ir.RuleDeclaration }
  | { readonly kind: 'mutation'; readonly declaration: ir.MutationDeclaration };

export type CompiledItem =
  | { readonly ok: true; readonly item: Item; readonly warnings: readonly Diagnostic[] }
  /** It cannot be read. */
  | { readonly ok: false; readonly reason: 'syntax'; readonly diagnostics: readonly Diagnostic[] }
  /** It can be read, and does not fit the declarations. */
  | { readonly ok: false; readonly reason: 'meaning'; readonly diagnostics: readonly Diagnostic[] }
  /** The text has another number or kind of items; `found` lists the keyword of each. */
  | {
      readonly ok: false;
      readonly reason: 'items';
      readonly kinds: readonly string[];
      readonly diagnostics: readonly Diagnostic[];
    };

/** The file name in spans, since the text has no file. */
const ITEM_FILE = 'adhoc';

/**
 * Creates a compiler of items in one of the artifact's modules, by default the first. Names in an item are resolved as in the
 * module's sources, which the artifact need not contain. Never throws, for any text.
 */
export function itemCompiler(artifact: ir.Artifact): (text: string, module?: string) => CompiledItem {
  const external = declaredSymbols(artifact);
  const names = artifact.modules.map(({ name }) => name);
  const empty = new Map(names.map((name) => [name, parseItems('', '', name).value]));
  return (text, module = names[0] ?? ITEM_FILE) => {
    const parsed = parseItems(ITEM_FILE, text, module);
    if (hasErrors(parsed.diagnostics)) {
      return { ok: false, reason: 'syntax', diagnostics: parsed.diagnostics.map(toDiagnostic) };
    }
    const items = itemsOf(parsed.value);
    const [only, ...others] = items;
    if (only === undefined || others.length > 0 || !COMPILED.has(only.kind)) {
      const diagnostics = [notOneItem(items, parsed.value.span)];
      return { ok: false, reason: 'items', kinds: items.map(wordOf), diagnostics };
    }
    // The other modules are included because paths can name them.
    const elsewhere = [...empty].flatMap(([name, syntax]) => (name === module ? [] : [syntax]));
    const checked = checkModules([parsed.value, ...elsewhere], external);
    const diagnostics = [...parsed.diagnostics, ...checked.diagnostics]
      .sort((a, b) => a.span.start.offset - b.span.start.offset)
      .map(toDiagnostic);
    if (!hasErrors(diagnostics)) return { ok: true, item: lowerItem(checked.value, text), warnings: diagnostics };
    const isSyntax = diagnostics.some(({ code }) => code.startsWith('E00'));
    return { ok: false, reason: isSyntax ? 'syntax' : 'meaning', diagnostics };
  };
}

const COMPILED: ReadonlySet<string> = new Set(['query', 'derive', 'mutation']);

/** The text's declarations. All clauses of one derive form one declaration. */
function itemsOf({ items }: ModuleSyntax): ItemSyntax[] {
  const derives = new Set<string>();
  return items.filter((item) => {
    if (item.kind !== 'derive') return true;
    const isFirst = !derives.has(item.name.text);
    derives.add(item.name.text);
    return isFirst;
  });
}

function notOneItem(items: readonly ItemSyntax[], whole: Span): Diagnostic {
  const [only, ...others] = items;
  const code: CodeName = 'E0901';
  const what =
    only === undefined ? 'nothing' : others.length > 0 ? `${items.length} declarations` : `\`${wordOf(only)}\``;
  return {
    code,
    severity: 'error',
    message: `expected one query, derive or mutation, found ${what}`,
    span: (others[0] ?? only)?.span ?? { ...whole, end: whole.start },
    hint:
      others.length > 0
        ? 'Send one declaration at a time.'
        : 'Write one of these. Other declarations belong in the module.',
  };
}

function wordOf({ kind }: ItemSyntax): string {
  return WORDS[kind] ?? kind;
}

const WORDS: { readonly [kind: string]: string } = { externFn: 'extern fn', externType: 'extern type' };

function lowerItem({ queries, mutations, rules }: CheckedProgram, text: string): Item {
  const texts = new Map([[ITEM_FILE, text]]);
  const start = (): Lowering => ({ texts, fresh: 0 });
  const [query] = queries;
  if (query !== undefined) return { kind: 'query', declaration: lowerQuery(start, query) };
  const [mutation] = mutations;
  if (mutation !== undefined) return { kind: 'mutation', declaration: lowerMutation(start, mutation) };
  const [rule] = rules;
  invariant(rule !== undefined, 'a text without errors that holds one item has it checked');
  return { kind: 'derive', declaration: lowerRule(start(), rule) };
}
