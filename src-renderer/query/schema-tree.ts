/** What a text can name, as a tree: each declaration with what it consists of, and how it is put into the text. */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { Span } from '../../src-runtime/base/span.js';
import type { GlyphKind } from '../components/glyph.js';
import type { TreeNode } from '../components/tree-model.js';
import { shortName } from '../data/locations.js';
import { typeText } from '../data/type-text.js';

export interface SchemaNode extends TreeNode {
  readonly name: string;
  /** Behind the name: a type, a parent, what it takes. */
  readonly detail: string;
  readonly children: readonly SchemaNode[];
  readonly glyph?: GlyphKind;
  readonly doc?: string | undefined;
  /** How a text names it; absent of a group. */
  readonly written?: string;
  /** The same with a variable for each part. */
  readonly pattern?: string;
  /** The path under which its facts are counted and listed. */
  readonly facts?: string;
  /** The path under which it is called. */
  readonly called?: string;
  readonly span?: Span;
}

/** Groups in the order in which *Data* has them, those that have something in them. */
export function schemaTree(schema: ServedSchema): readonly SchemaNode[] {
  const relationsOf = (kind: 'stored' | 'derived') => schema.relations.filter((each) => each.kind === kind);
  return [
    group('Concepts', schema.concepts.map(conceptNode)),
    group('Derived classes', schema.defines.map(defineNode)),
    group('Stored relations', relationsOf('stored').map(relationNode)),
    group('Derived relations', relationsOf('derived').map(relationNode)),
    group('Enums', schema.enums.map(enumNode)),
    group('Queries', schema.queries.map(callableNode)),
    group('Functions', schema.functions.map(callableNode)),
  ].filter(({ children }) => children.length > 0);
}

/** What has the words in its own name, whole; else with those of its parts that have them. */
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

/** Declarations are closed at first, but for those that a filter has left a part of; groups are open. */
export function closedAtFirst(shown: readonly SchemaNode[], whole: readonly SchemaNode[]): ReadonlySet<string> {
  const untouched = new Set(declarationsOf(whole));
  return new Set(
    declarationsOf(shown)
      .filter((node) => untouched.has(node))
      .map(({ id }) => id),
  );
}

/** Those that are in one of both only: what was opened or closed since, and what that comes to. */
export function difference(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...[...one].filter((id) => !other.has(id)), ...[...other].filter((id) => !one.has(id))]);
}

/** What is put behind this text: a class alone where a type stands, a field with its dot, and blanks where words would run together. */
export function putText(node: SchemaNode, before: string): string {
  const { written = '', pattern = written } = node;
  if (written.startsWith('.')) return /\.$/.test(before) ? written.slice(1) : written;
  const isType = /(:|->|\[|\binsert|\bis)\s*$/.test(before) && node.facts !== undefined;
  const gap = /[\w),\]:>]$/.test(before) ? ' ' : '';
  return gap + (isType ? written : pattern);
}

function group(name: string, children: readonly SchemaNode[]): SchemaNode {
  return { id: name, name, detail: String(children.length), children };
}

interface Declared {
  readonly path: string;
  readonly doc?: string | undefined;
  readonly span: Span;
}

function declared({ path, doc, span }: Declared) {
  const name = shortName(path);
  return { id: path, name, written: name, doc, span };
}

function conceptNode(concept: ServedSchema['concepts'][number]): SchemaNode {
  const { path, parent, fields } = concept;
  const node = declared(concept);
  const [own, inherited] = [true, false].map((isOwn) =>
    fields.filter((field) => field.path.startsWith(`${path}.`) === isOwn),
  );
  return {
    ...node,
    detail: parent === null ? '' : `is ${shortName(parent)}`,
    glyph: 'class',
    pattern: `${node.name}(${variable(node.name)})`,
    facts: path,
    children: [...(own ?? []), ...(inherited ?? [])].map((field): SchemaNode => {
      const owner = field.path.slice(0, field.path.lastIndexOf('.'));
      const from = owner === path ? '' : `, from ${shortName(owner)}`;
      return {
        id: `${path}.${field.name}`,
        name: field.name,
        detail: `${typeText(field.type)}${from}`,
        doc: field.doc,
        written: `.${field.name}`,
        span: concept.span,
        children: [],
      };
    }),
  };
}

function defineNode(define: ServedSchema['defines'][number]): SchemaNode {
  const node = declared(define);
  const pattern = `${node.name}(${variable(shortName(define.class))})`;
  const detail = `of ${shortName(define.class)}`;
  return { ...node, detail, glyph: 'derived', pattern, facts: define.path, children: [] };
}

function relationNode(relation: ServedSchema['relations'][number]): SchemaNode {
  const { path, kind, endpoints } = relation;
  const node = declared(relation);
  const names = endpoints.map(({ name }) => name);
  return {
    ...node,
    detail: `(${names.join(', ')})`,
    glyph: kind,
    pattern: `${node.name}(${names.join(', ')})`,
    facts: path,
    children: parts(path, endpoints, relation.span),
  };
}

function enumNode(declaration: ServedSchema['enums'][number]): SchemaNode {
  const node = declared(declaration);
  const { path, span, members } = declaration;
  return {
    ...node,
    detail: '',
    children: members.map(({ name, doc }) => ({
      ...{ id: `${path}.${name}`, name, detail: '', doc, span, children: [] },
      written: `${node.name}::${name}`,
    })),
  };
}

function callableNode(callable: ServedSchema['queries'][number]): SchemaNode {
  const { path, parameters, result, span } = callable;
  const node = declared(callable);
  return {
    ...node,
    detail: `-> ${typeText(result)}`,
    pattern: `${node.name}(${parameters.map(({ name }) => name).join(', ')})`,
    ...(callable.public && { called: path }),
    children: parts(path, parameters, span),
  };
}

type Part = Pick<ServedSchema['relations'][number]['endpoints'][number], 'name' | 'type' | 'doc'>;

function parts(path: string, all: readonly Part[], span: Span): SchemaNode[] {
  return all.map(({ name, type, doc }) => ({
    ...{ id: `${path}.${name}`, name, detail: typeText(type), doc, span, children: [] },
    written: name,
  }));
}

function variable(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function declarationsOf(groups: readonly SchemaNode[]): SchemaNode[] {
  return groups.flatMap(({ children }) => children);
}
