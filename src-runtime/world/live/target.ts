/** What a declaration of the texts evaluates to: a relation, or a callable. */

import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Condition, FunctionDeclaration, Parameter, QueryDeclaration } from '../../artifact/types.js';
import type { Span } from '../../base/span.js';
import type { SourceDeclaration } from '../../compiler/index.js';
import type { Program } from '../../engine/index.js';

export interface LiveQuestion {
  readonly file: string;
  readonly offset: number;
  /** Of a query or function. */
  readonly args: Readonly<Record<string, JsonValue>>;
  /** A row of a query to explain. */
  readonly why?: JsonValue | undefined;
  /** The most rows to return. */
  readonly rows: number;
}

/** `reads` are the relations that it names. Those behind them follow from the program. */
export type Target = { readonly reads: readonly string[]; readonly conditions: readonly PlacedCondition[] } & (
  | { readonly kind: 'relation'; readonly path: string }
  | { readonly kind: 'query'; readonly query: QueryDeclaration }
  | { readonly kind: 'function'; readonly fn: FunctionDeclaration }
);

/** The condition of a clause. */
interface PlacedCondition {
  readonly span: Span;
  readonly condition: Condition;
}

/** Undefined for what gives nothing. */
export function targetOf(program: Program, declaration: SourceDeclaration): Target | undefined {
  const path = pathOf(declaration);
  switch (declaration.kind) {
    case 'derive':
    case 'define':
    case 'check': {
      const clauses = program.rules.get(path)?.body.clauses ?? [];
      const conditions = clauses.map(({ span, condition }) => ({ span, condition }));
      return { kind: 'relation', path, reads: [path], conditions };
    }
    case 'concept':
    case 'relation':
    case 'fact': {
      const known = [path, declaration.name].find((each) => program.relations.has(each));
      return known === undefined ? undefined : { kind: 'relation', path: known, reads: [known], conditions: [] };
    }
    case 'query': {
      const query = program.queries.get(path);
      if (query === undefined) return undefined;
      const { body, span } = query;
      const conditions = body.op === 'select' ? [{ span, condition: body.condition }] : [];
      return { kind: 'query', query, conditions, reads: relationsIn(body) };
    }
    case 'fn': {
      const fn = program.functions.get(path);
      return fn && { kind: 'function', fn, conditions: [], reads: [] };
    }
    default:
      return undefined;
  }
}

function relationsIn(node: unknown, found: Set<string> = new Set()): string[] {
  if (typeof node === 'object' && node !== null) {
    const { relation } = node as { readonly relation?: unknown };
    if (typeof relation === 'string') found.add(relation);
    for (const child of Object.values(node)) relationsIn(child, found);
  }
  return [...found];
}

export function pathOf({ module, name }: Pick<SourceDeclaration, 'module' | 'name'>): string {
  return `${module}::${name}`;
}

export function parametersOf(target: Target): readonly Parameter[] {
  if (target.kind === 'relation') return [];
  return target.kind === 'query' ? target.query.parameters : target.fn.parameters;
}

export function isRequired({ default: value, type }: Parameter): boolean {
  return value === undefined && type.kind !== 'optional';
}
