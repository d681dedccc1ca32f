/** The schema as a tree: each declaration with its parts, and the text that it inserts. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Span } from '../../../src-runtime/base/span.js';
import { RESERVED_WORDS } from '../../../src-runtime/language/lexer.js';
import {
  type EnclosingModule,
  enclosingModule,
  isNameable,
  moduleOfPath,
  type Named,
} from '../../model/facts/enclosing-module.js';
import { shortName } from '../../model/facts/locations.js';
import { typeText } from '../../model/facts/type-text.js';
import type { GlyphKind } from '../../ui/glyph.js';
import type { TreeNode } from '../../ui/tree-model.js';
import { type ExampleText, exampleText, type QueryParts } from './whole-query.js';

export interface SchemaNode extends TreeNode {
  readonly name: string;
  /** Shown after the name: a type, a parent or parameters. */
  readonly detail: string;
  readonly children: readonly SchemaNode[];
  readonly glyph?: GlyphKind;
  readonly doc?: string | undefined;
  /** The inserted text. Absent for a group. */
  readonly inserted?: string;
  /** The inserted text with a variable for each part. */
  readonly pattern?: string;
  /** The query that an empty text gets. */
  readonly query?: QueryParts;
  /** The path of its facts, for counts and links. */
  readonly facts?: string;
  /** The path of the callable. */
  readonly callable?: string;
  readonly span?: Span;
}

/** The groups in the order of *Data*, without empty ones. */
export function schemaTree(
  schema: ServedSchema,
  enclosing: EnclosingModule = enclosingModule(schema, undefined),
): readonly SchemaNode[] {
  const { named } = enclosing;
  const nodes = <Each extends Placed>(all: readonly Each[], nodeOf: (each: Each, named: Named) => SchemaNode) =>
    nameable(all, enclosing).map((each) => nodeOf(each, named));
  const relationsOf = (kind: 'stored' | 'derived') => schema.relations.filter((each) => each.kind === kind);
  return [
    group('Concepts', nodes(schema.concepts, conceptNode)),
    group('Derived classes', nodes(schema.defines, defineNode)),
    group('Stored relations', nodes(relationsOf('stored'), relationNode)),
    group('Derived relations', nodes(relationsOf('derived'), relationNode)),
    group('Enums', nodes(schema.enums, enumNode)),
    group('Queries', nodes(schema.queries, callableNode)),
    group('Functions', nodes(schema.functions, functionNode)),
  ].filter(({ children }) => children.length > 0);
}

type Placed = Parameters<typeof isNameable>[1];

/** The names of the schema, those of the text's own module first. */
function nameable<Each extends Placed>(all: readonly Each[], enclosing: EnclosingModule): readonly Each[] {
  const known = all.filter((each) => isNameable(enclosing, each));
  const isOwn = ({ path }: Each): boolean => enclosing.module === undefined || moduleOfPath(path) === enclosing.module;
  return [...known.filter(isOwn), ...known.filter((each) => !isOwn(each))];
}

/** An example query that runs, about the first concept if there is one. */
export function exampleQuery(
  schema: ServedSchema,
  enclosing: EnclosingModule = enclosingModule(schema, undefined),
): ExampleText {
  const [first] = nameable(schema.concepts, enclosing);
  const query = first && conceptNode(first, enclosing.named).query;
  return exampleText(query ?? { value: '1 + 1', of: 'Int', parameters: '' }, schema);
}

/** Nodes whose name has the words, with all children; else those with matching children. */
export function narrowedTree(groups: readonly SchemaNode[], filter: string): readonly SchemaNode[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return groups;
  const has = ({ name }: SchemaNode): boolean => name.toLowerCase().includes(wanted);
  return groups.flatMap((of) => {
    const children = of.children.flatMap((declared): SchemaNode[] => {
      if (has(declared)) return [declared];
      const parts = declared.children.filter(has);
      return parts.length === 0 ? [] : [{ ...declared, children: parts }];
    });
    return children.length === 0 ? [] : [{ ...of, children }];
  });
}

/** Declarations start closed, except those that a filter has narrowed. Groups start open. */
export function closedAtFirst(shown: readonly SchemaNode[], whole: readonly SchemaNode[]): ReadonlySet<string> {
  const untouched = new Set(declarationsOf(whole));
  return new Set(
    declarationsOf(shown)
      .filter((node) => untouched.has(node))
      .map(({ id }) => id),
  );
}

/** The symmetric difference: the nodes toggled since, and the state that results. */
export function difference(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...[...one].filter((id) => !other.has(id)), ...[...other].filter((id) => !one.has(id))]);
}

/** The text to insert: only the name where a type is expected, with a dot for a field, with spaces where needed. */
export function insertedText(node: SchemaNode, before: string): string {
  const { inserted = '', pattern = inserted } = node;
  if (inserted.startsWith('.')) return /\.$/.test(before) ? inserted.slice(1) : inserted;
  const isType = /(:|->|\[|\binsert|\bis)\s*$/.test(before) && node.facts !== undefined;
  const gap = /[\w),\]:>]$/.test(before) ? ' ' : '';
  return gap + (isType ? inserted : pattern);
}

function group(name: string, children: readonly SchemaNode[]): SchemaNode {
  return { id: name, name, detail: String(children.length), children };
}

interface Declared {
  readonly path: string;
  readonly doc?: string | undefined;
  readonly span: Span;
}

function declared({ path, doc, span }: Declared, named: Named) {
  const name = named(path);
  return { id: path, name, inserted: name, doc, span };
}

function conceptNode(concept: ServedSchema['concepts'][number], named: Named): SchemaNode {
  const { path, parent, fields } = concept;
  const node = declared(concept, named);
  const [own, inherited] = [true, false].map((isOwn) =>
    fields.filter((field) => field.path.startsWith(`${path}.`) === isOwn),
  );
  return {
    ...node,
    detail: parent === null ? '' : `is ${named(parent)}`,
    glyph: 'class',
    ...patternOf(node.name, variable(path), node.name),
    facts: path,
    children: [...(own ?? []), ...(inherited ?? [])].map((field): SchemaNode => {
      const owner = field.path.slice(0, field.path.lastIndexOf('.'));
      const from = owner === path ? '' : `, from ${named(owner)}`;
      return {
        id: `${path}.${field.name}`,
        name: field.name,
        detail: `${typeText(field.type, named)}${from}`,
        doc: field.doc,
        inserted: `.${field.name}`,
        query: fieldOf(path, field, named),
        span: concept.span,
        children: [],
      };
    }),
  };
}

function defineNode(define: ServedSchema['defines'][number], named: Named): SchemaNode {
  const node = declared(define, named);
  const of = named(define.class);
  const pattern = patternOf(node.name, variable(define.class), of);
  return { ...node, detail: `of ${of}`, glyph: 'derived', ...pattern, facts: define.path, children: [] };
}

function relationNode(relation: ServedSchema['relations'][number], named: Named): SchemaNode {
  const { path, kind, endpoints } = relation;
  const node = declared(relation, named);
  const names = endpoints.map(({ name }) => name).join(', ');
  const pattern = `${node.name}(${names})`;
  return {
    ...node,
    detail: `(${names})`,
    glyph: kind,
    pattern,
    query: { ...rowOf(endpoints, named), where: pattern },
    facts: path,
    children: parts(path, endpoints, relation.span, named),
  };
}

/** The columns that a query of the relation selects. */
function rowOf(endpoints: readonly Part[], named: Named): { readonly select: string; readonly of: string } {
  const [first, second] = endpoints;
  if (first !== undefined && second === undefined) return { select: first.name, of: typeText(first.type, named) };
  return {
    select: `{ ${endpoints.map(({ name }) => `${name}: ${name}`).join(', ')} }`,
    of: `{ ${typed(endpoints, named)} }`,
  };
}

function typed(all: readonly Part[], named: Named): string {
  return all.map(({ name, type }) => `${name}: ${typeText(type, named)}`).join(', ');
}

function enumNode(declaration: ServedSchema['enums'][number], named: Named): SchemaNode {
  const node = declared(declaration, named);
  const { path, span, members } = declaration;
  return {
    ...node,
    detail: '',
    children: members.map(({ name, doc }) => ({
      ...{ id: `${path}.${name}`, name, detail: '', doc, span, children: [] },
      inserted: `${node.name}::${name}`,
    })),
  };
}

function callableNode(callable: ServedSchema['queries'][number], named: Named): SchemaNode {
  const { path, parameters, result, span } = callable;
  const node = declared(callable, named);
  const pattern = `${node.name}(${parameters.map(({ name }) => name).join(', ')})`;
  return {
    ...node,
    detail: `-> ${typeText(result, named)}`,
    pattern,
    ...(callable.public && { callable: path }),
    children: parts(path, parameters, span, named),
  };
}

/** Externs cannot run here, so functions that need one are left out. */
function functionNode(declaration: ServedSchema['functions'][number], named: Named): SchemaNode {
  const node = callableNode(declaration, named);
  const { extern, parameters, result } = declaration;
  if (extern) return node;
  return {
    ...node,
    query: { value: node.pattern ?? '', of: typeText(result, named), parameters: typed(parameters, named) },
  };
}

type Part = Pick<ServedSchema['relations'][number]['endpoints'][number], 'name' | 'type' | 'doc'>;

function parts(path: string, all: readonly Part[], span: Span, named: Named): SchemaNode[] {
  return all.map(({ name, type, doc }) => ({
    ...{ id: `${path}.${name}`, name, detail: typeText(type, named), doc, span, children: [] },
    inserted: name,
  }));
}

/** A concept with a variable, and the query for all of its individuals. */
function patternOf(name: string, it: string, of: string) {
  const pattern = `${name}(${it})`;
  return { pattern, query: { select: it, of, where: pattern } };
}

/** A field with its value, for each individual of the concept. */
function fieldOf(
  path: string,
  { name: field, type }: ServedSchema['concepts'][number]['fields'][number],
  named: Named,
): QueryParts {
  const it = variable(path) === field ? 'it' : variable(path);
  return {
    select: `{ ${it}: ${it}, ${field}: ${it}.${field} }`,
    of: `{ ${it}: ${named(path)}, ${field}: ${typeText(type, named)} }`,
    where: `${named(path)}(${it})`,
  };
}

function variable(path: string): string {
  const name = shortName(path);
  const word = name.charAt(0).toLowerCase() + name.slice(1);
  return RESERVED_WORDS.has(word) ? 'it' : word;
}

function declarationsOf(groups: readonly SchemaNode[]): SchemaNode[] {
  return groups.flatMap(({ children }) => children);
}
