/**
 * The diagram of a module's declarations: boxes for concepts, relations, defines and enums, and edges between them. A
 * relation is a box between its endpoints, so that relations of one, two and five endpoints look alike.
 */

import type { WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import type { Span } from '../../../../src-runtime/base/span.js';
import type { Declarations, DeclaredRelation } from '../../../model/facts/declarations.js';
import { namesOf, shortName } from '../../../model/facts/locations.js';
import { typeText } from '../../../model/facts/type-text.js';
import type { GlyphKind } from '../../../ui/glyph.js';

export type DiagramKind = 'concept' | 'define' | 'enum' | 'stored' | 'derived';

export const KIND_NAME: Readonly<Record<DiagramKind, string>> = {
  concept: 'concept',
  define: 'define',
  enum: 'enum',
  stored: 'relation',
  derived: 'derived relation',
};

export const DIAGRAM_GLYPH: Readonly<Record<DiagramKind, GlyphKind>> = {
  concept: 'class',
  define: 'derived',
  enum: 'test',
  stored: 'stored',
  derived: 'derived',
};

export interface DiagramLine {
  readonly name: string;
  readonly type: string;
}

export interface DiagramNode {
  /** The path of the declaration. */
  readonly id: string;
  readonly kind: DiagramKind;
  readonly name: string;
  /** Fields, members, and the endpoints that are no individuals. */
  readonly lines: readonly DiagramLine[];
  /** How many lines are hidden. */
  readonly more: number;
  readonly doc: string | undefined;
  readonly span: Span;
}

/**
 * `is` goes from the parent to the child concept, `end` to or from a relation, `field` and `enum` to the type of a
 * field.
 */
export type DiagramEdgeKind = 'is' | 'end' | 'field' | 'enum';

export interface DiagramEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: DiagramEdgeKind;
  /** The edge belongs to a derived relation. */
  readonly derived: boolean;
  /** The name of the endpoint or field, with its multiplicity. */
  readonly label: string;
  /** The end with the label: that of the concept. */
  readonly labelAt: 'from' | 'to';
}

export interface Diagram {
  readonly nodes: readonly DiagramNode[];
  readonly edges: readonly DiagramEdge[];
}

/** Parts that can be hidden. */
export const PARTS = ['fields', 'enums', 'derived'] as const;
export type DiagramPart = (typeof PARTS)[number];

export interface DiagramOptions {
  readonly hidden: ReadonlySet<DiagramPart>;
  /** Only this declaration and its neighbours. */
  readonly neighboursOf: string | undefined;
}

/** Lines of one declaration. The source has the rest. */
const LINES_MAX = 24;

/** An enum that more concepts use has no edges: they would say little and cover others. */
const ENUM_LINES_MAX = 6;

export function schemaDiagram(declarations: Declarations, { hidden, neighboursOf }: DiagramOptions): Diagram {
  const full = fullDiagram(declarations, hidden);
  return neighboursOf !== undefined && full.nodes.some(({ id }) => id === neighboursOf)
    ? neighbourhood(full, neighboursOf)
    : full;
}

/** The whole diagram, before hiding parts. */
function pathsOf({ concepts, relations, defines, enums }: Declarations): string[] {
  return [...concepts, ...defines, ...relations, ...enums].map(({ path }) => path);
}

function fullDiagram(declarations: Declarations, hidden: ReadonlySet<DiagramPart>): Diagram {
  const { concepts, relations, defines, enums } = declarations;
  const nameOf = namesOf(pathsOf(declarations));
  const nodes: DiagramNode[] = [];
  const edges: DiagramEdge[] = [];
  const add = (
    item: { readonly path: string; readonly doc: string | undefined; readonly span: Span },
    kind: DiagramKind,
    lines: readonly DiagramLine[] = [],
  ): void => {
    const { path: id, doc, span } = item;
    const more = Math.max(0, lines.length - LINES_MAX);
    nodes.push({ id, kind, name: nameOf(id), lines: lines.slice(0, LINES_MAX), more, doc, span });
  };
  for (const concept of concepts) {
    const { path, parent, fields } = concept;
    add(concept, 'concept', hidden.has('fields') ? [] : fields.map(fieldLine));
    if (parent !== null) edges.push(isEdge(parent, path, false));
    edges.push(...fieldEdges(path, fields, hidden));
  }
  for (const item of hidden.has('enums') ? [] : enums) {
    add(
      item,
      'enum',
      item.members.map((name) => ({ name, type: '' })),
    );
  }
  for (const define of hidden.has('derived') ? [] : defines) {
    add(define, 'define');
    if (define.class !== undefined) edges.push(isEdge(define.class, define.path, true));
  }
  for (const relation of relations) {
    if (relation.kind === 'derived' && hidden.has('derived')) continue;
    add(relation, relation.kind, endpointLines(relation));
    edges.push(...endpointEdges(relation));
  }
  const drawn = new Set(nodes.map(({ id }) => id));
  const isDrawn = ({ from, to }: DiagramEdge): boolean => drawn.has(from) && drawn.has(to);
  return { nodes, edges: withoutCrowds(edges.filter(isDrawn)) };
}

function withoutCrowds(edges: readonly DiagramEdge[]): DiagramEdge[] {
  const uses = new Map<string, number>();
  for (const { kind, to } of edges) if (kind === 'enum') uses.set(to, (uses.get(to) ?? 0) + 1);
  return edges.filter(({ kind, to }) => kind !== 'enum' || (uses.get(to) ?? 0) <= ENUM_LINES_MAX);
}

function isEdge(from: string, to: string, derived: boolean): DiagramEdge {
  return { id: `${from}<${to}`, from, to, kind: 'is', derived, label: '', labelAt: 'to' };
}

type Field = Declarations['concepts'][number]['fields'][number];

function fieldLine({ name, type, unique, via }: Field): DiagramLine {
  const marks = [unique ? 'unique' : '', via === undefined ? '' : `via ${shortName(via)}`].filter(Boolean);
  return { name, type: [typeText(type), ...marks].join(' ') };
}

/**
 * Edges to the concepts that stored fields refer to, and one to each enum. A navigation field has the edge of its
 * relation.
 */
function fieldEdges(path: string, fields: readonly Field[], hidden: ReadonlySet<DiagramPart>): DiagramEdge[] {
  const edges: DiagramEdge[] = [];
  const enums = new Set<string>();
  for (const { name, type, via } of fields) {
    const target = pathIn(type);
    if (target === undefined || via !== undefined) continue;
    const { kind, path: to } = target;
    if (kind === 'enum' && !hidden.has('enums')) enums.add(to);
    if (kind !== 'class') continue;
    const label = `${name} ${type.kind === 'optional' ? '0..1' : '1'}`;
    edges.push({ id: `${path}.${name}`, from: path, to, kind: 'field', derived: false, label, labelAt: 'to' });
  }
  for (const to of enums) {
    edges.push({ id: `${path}~${to}`, from: path, to, kind: 'enum', derived: false, label: '', labelAt: 'to' });
  }
  return edges;
}

/** The concept or enum that a type names. */
function pathIn(type: WireType): { readonly kind: string; readonly path: string } | undefined {
  if (type.kind === 'optional' || type.kind === 'list') return pathIn(type.of);
  return type.kind === 'class' || type.kind === 'enum' ? type : undefined;
}

function endpointLines({ endpoints }: DeclaredRelation): DiagramLine[] {
  return endpoints
    .filter(({ type }) => type.kind !== 'class')
    .map(({ name, type, functional }) => ({ name, type: `${typeText(type)}${functional ? ' 0..1' : ''}` }));
}

/** From the first endpoint to the relation, and from there to the others, as in the source. */
function endpointEdges({ path, kind, endpoints }: DeclaredRelation): DiagramEdge[] {
  const classes = endpoints.flatMap(({ name, type, functional }) =>
    type.kind === 'class' ? [{ name, functional, class: type.path }] : [],
  );
  return classes.map(({ name, functional, class: end }, index) => {
    const isFirst = index === 0;
    // The multiplicity of a derived relation follows from its rule, and its endpoint names are variables of that rule,
    // often one letter. So its edges have no labels.
    const many = functional ? ' 0..1' : ' *';
    const label = kind === 'stored' ? `${name}${many}` : name.length > 1 ? name : '';
    return {
      id: `${path}/${name}`,
      from: isFirst ? end : path,
      to: isFirst ? path : end,
      kind: 'end',
      derived: kind === 'derived',
      label,
      labelAt: isFirst ? 'from' : 'to',
    };
  });
}

/** The neighbours of a declaration. For a relation, also its other endpoints, without which it means nothing. */
function neighbourhood({ nodes, edges }: Diagram, neighboursOf: string): Diagram {
  const near = new Set([neighboursOf, ...neighbours(edges, neighboursOf)]);
  const centres = new Set(
    nodes.filter(({ id, kind }) => near.has(id) && (kind === 'stored' || kind === 'derived')).map(({ id }) => id),
  ).add(neighboursOf);
  const shown = edges.filter(({ from, to }) => centres.has(from) || centres.has(to));
  const kept = new Set([neighboursOf, ...shown.flatMap(({ from, to }) => [from, to])]);
  return { nodes: nodes.filter(({ id }) => kept.has(id)), edges: shown };
}

function neighbours(edges: readonly DiagramEdge[], id: string): string[] {
  return edges.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : []));
}
