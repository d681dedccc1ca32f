/** Decodes an artifact for the engine: signatures at once, bodies when they are first needed. */

import type { Artifact, Clause, ConceptDeclaration, RuleDeclaration, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { EvaluationFault } from '../errors.js';
import type { ClassInfo, EndpointInfo, FieldInfo, Program, RelationInfo, RelationKind } from '../types.js';
import { requireForm } from './forms.js';
import { readsOfClauses } from './reads.js';

/** Rule relations that depend on each other and are evaluated together (a strongly connected component). */
export interface Component {
  /** In the order of their declaration. */
  readonly paths: readonly string[];
  readonly recursive: boolean;
  /** Every relation that one of its clauses reads directly. */
  readonly reads: ReadonlySet<string>;
  /** Stored relations that it reads directly or through other components, sorted. */
  readonly storedReads: readonly string[];
}

/** A program with what only the engine needs. */
export interface EngineProgram extends Program {
  /** The clauses of a rule, define or check. Throws an undecodable EvaluationFault. */
  clausesOf(path: string): readonly Clause[];
  componentOf(path: string): Component;
  /** The components to evaluate for these relations, each after those that it reads. */
  componentsFor(paths: Iterable<string>): readonly Component[];
  isRule(path: string): boolean;
  /** The concept of a class; for a define, the concept that it is a part of. */
  conceptOf(path: string): string;
  /** The same program with other bodies for these rules, or with more rules and relations. */
  replacing(rules: readonly RuleDeclaration[], relations: readonly RelationInfo[]): EngineProgram;
}

/** Never throws on a decoded artifact: an unknown body fails when it is needed. */
export function loadProgram(artifact: Artifact): EngineProgram {
  return new LoadedProgram(artifact);
}

export function engineProgram(program: Program): EngineProgram {
  invariant(program instanceof LoadedProgram, 'a program comes from loadProgram');
  return program;
}

class LoadedProgram implements EngineProgram {
  readonly artifact: Artifact;
  readonly relations: Map<string, RelationInfo>;
  readonly classes: ReadonlyMap<string, ClassInfo>;
  readonly concepts;
  readonly fields = new Map<string, FieldInfo>();
  readonly enums;
  readonly individuals;
  readonly rules: ReadonlyMap<string, RuleDeclaration>;
  readonly checks;
  readonly queries;
  readonly mutations;
  readonly functions;
  readonly context;
  private readonly components = new Map<string, Component>();
  /** Of rules, by their declaration. */
  private readonly order: ReadonlyMap<string, number>;

  constructor(artifact: Artifact) {
    this.artifact = artifact;
    this.concepts = byPath(artifact.schema.concepts);
    this.enums = byPath(artifact.schema.enums);
    this.individuals = byPath(artifact.individuals);
    this.checks = byPath(artifact.checks);
    this.queries = byPath(artifact.queries);
    this.mutations = byPath(artifact.mutations);
    this.functions = byPath(artifact.functions);
    this.context = new Map(artifact.schema.context.map((field) => [field.name, field]));
    for (const concept of artifact.schema.concepts) {
      for (const field of concept.fields) this.fields.set(field.path, { ...field, concept: concept.path });
    }
    const checkRules = artifact.checks.map((check) => ({ ...check, path: this.relationOfCheck(check.path) }));
    this.rules = byPath([...artifact.rules, ...artifact.defines, ...checkRules]);
    this.relations = relationsOf(artifact, checkRules);
    this.classes = classesOf(artifact, this.concepts, this.fields);
    this.order = new Map([...this.rules.keys()].map((path, at) => [path, at]));
  }

  replacing(changed: readonly RuleDeclaration[], added: readonly RelationInfo[]): EngineProgram {
    const rules = new Map([...this.rules, ...byPath(changed)]);
    const relations = new Map([...this.relations, ...byPath(added)]);
    for (const rule of changed) if (!relations.has(rule.path)) relations.set(rule.path, ruleRelation('derived', rule));
    const order = new Map([...rules.keys()].map((path, at) => [path, at]));
    const components = new Map<string, Component>();
    return Object.assign(Object.create(LoadedProgram.prototype), this, { rules, relations, order, components });
  }

  relationOfCheck(path: string): string {
    return this.fields.has(path) ? `${path}!` : path;
  }

  classPathsOf(concept: string): readonly string[] {
    return this.classes.get(concept)?.ancestors ?? [];
  }

  isSubclass(path: string, ancestor: string): boolean {
    return this.classes.get(path)?.ancestors.includes(ancestor) ?? false;
  }

  isRule(path: string): boolean {
    return this.rules.has(path);
  }

  conceptOf(path: string): string {
    return this.classes.get(path)?.ancestors.find((each) => this.concepts.has(each)) ?? path;
  }

  clausesOf(path: string): readonly Clause[] {
    const rule = this.rules.get(path);
    invariant(rule !== undefined, `${path} is a rule`);
    requireForm('rule', rule.body, { path });
    if (rule.body.clauses.some(({ head }) => head.length !== rule.parameters.length)) {
      throw new EvaluationFault('undecodable', 'the number of terms in a head differs from the number of parameters', {
        path,
      });
    }
    return rule.body.clauses;
  }

  readsOf(path: string): ReadonlySet<string> {
    const reached = new Set<string>();
    for (const component of this.componentsFor([path])) for (const each of component.paths) reached.add(each);
    return reached;
  }

  storedReadsOf(path: string): readonly string[] {
    return this.isRule(path) ? this.componentOf(path).storedReads : [path];
  }

  componentOf(path: string): Component {
    if (!this.components.has(path)) this.findComponents(path);
    const component = this.components.get(path);
    invariant(component !== undefined, `${path} has a component`);
    return component;
  }

  componentsFor(paths: Iterable<string>): readonly Component[] {
    const ordered = new Set<Component>();
    const visit = (path: string): void => {
      if (!this.isRule(path)) return;
      const component = this.componentOf(path);
      if (ordered.has(component)) return;
      for (const read of component.reads) if (!component.paths.includes(read)) visit(read);
      ordered.add(component);
    };
    for (const path of paths) visit(path);
    return [...ordered];
  }

  /** Tarjan's algorithm from one root. Components found earlier stay. */
  private findComponents(root: string): void {
    const indexes = new Map<string, number>();
    const lows = new Map<string, number>();
    const stack: string[] = [];
    const reads = new Map<string, ReadonlySet<string>>();
    const visit = (path: string): number => {
      const index = indexes.size;
      let low = index;
      indexes.set(path, index);
      stack.push(path);
      const direct = this.directReads(path);
      reads.set(path, direct);
      for (const read of direct) {
        if (!this.isRule(read) || this.components.has(read)) continue;
        const known = indexes.get(read);
        low = Math.min(low, known === undefined ? visit(read) : known);
      }
      lows.set(path, low);
      if (low === index) this.closeComponent(stack.splice(stack.indexOf(path)), reads);
      return low;
    };
    visit(root);
  }

  private directReads(path: string): ReadonlySet<string> {
    const clauses = this.clausesOf(path);
    try {
      return readsOfClauses(this, clauses).relations;
    } catch (error) {
      throw error instanceof EvaluationFault ? error.at({ path }) : error;
    }
  }

  private closeComponent(paths: string[], directReads: ReadonlyMap<string, ReadonlySet<string>>): void {
    paths.sort((left, right) => (this.order.get(left) ?? 0) - (this.order.get(right) ?? 0));
    const reads = new Set(paths.flatMap((path) => [...(directReads.get(path) ?? [])]));
    const stored = new Set<string>();
    for (const read of reads) {
      if (!this.isRule(read)) stored.add(read);
      else if (!paths.includes(read)) for (const each of this.componentOf(read).storedReads) stored.add(each);
    }
    const recursive = paths.some((path) => reads.has(path));
    const component: Component = { paths, recursive, reads, storedReads: [...stored].sort() };
    for (const path of paths) this.components.set(path, component);
  }
}

function byPath<T extends { readonly path: string }>(declarations: readonly T[]): ReadonlyMap<string, T> {
  return new Map(declarations.map((declaration) => [declaration.path, declaration]));
}

function relationsOf(artifact: Artifact, checks: readonly RuleDeclaration[]): Map<string, RelationInfo> {
  const relations = new Map<string, RelationInfo>();
  const add = (path: string, kind: RelationKind, isPublic: boolean, endpoints: readonly EndpointInfo[]): void => {
    relations.set(path, { path, kind, public: isPublic, endpoints });
  };
  for (const concept of artifact.schema.concepts) {
    const self: Type = { kind: 'class', path: concept.path };
    add(concept.path, 'concept', concept.public, [{ name: 'individual', type: self, functional: false }]);
    for (const field of concept.fields) {
      if (field.navigation !== undefined) continue;
      const type = field.type.kind === 'optional' ? field.type.of : field.type;
      add(field.path, 'field', concept.public, [
        { name: 'individual', type: self, functional: false },
        { name: 'value', type, functional: true },
      ]);
    }
  }
  for (const relation of artifact.schema.relations) {
    add(
      relation.path,
      'stored',
      relation.public,
      relation.endpoints.map(({ name, type, functional }) => ({ name, type, functional })),
    );
  }
  for (const [kind, rules] of [
    ['derived', artifact.rules],
    ['define', artifact.defines],
    ['check', checks],
  ] as const) {
    for (const rule of rules) relations.set(rule.path, ruleRelation(kind, rule));
  }
  return relations;
}

function ruleRelation(kind: RelationKind, { path, public: isPublic, parameters }: RuleDeclaration): RelationInfo {
  return {
    path,
    kind,
    public: isPublic,
    endpoints: parameters.map(({ name, type, keeps }) => ({ name, type, functional: false, ...(keeps && { keeps }) })),
  };
}

function classesOf(
  artifact: Artifact,
  concepts: ReadonlyMap<string, ConceptDeclaration>,
  fields: ReadonlyMap<string, FieldInfo>,
): ReadonlyMap<string, ClassInfo> {
  const parents = new Map<string, string | null>();
  for (const concept of artifact.schema.concepts) parents.set(concept.path, concept.parent);
  for (const define of artifact.defines) {
    const type = define.parameters[0]?.type;
    parents.set(define.path, type?.kind === 'class' ? type.path : null);
  }
  const ancestors = new Map<string, string[]>();
  for (const path of parents.keys()) ancestors.set(path, chainOf(path, parents));
  const classes = new Map<string, ClassInfo>();
  for (const [path, chain] of ancestors) {
    const below = [...parents.keys()].filter((other) => other !== path && ancestors.get(other)?.includes(path));
    const own = [...chain].reverse().flatMap((each) => concepts.get(each)?.fields ?? []);
    classes.set(path, {
      path,
      kind: concepts.has(path) ? 'concept' : 'define',
      parent: parents.get(path) ?? null,
      ancestors: chain,
      descendants: [path, ...below],
      fields: own.flatMap((field) => fields.get(field.path) ?? []),
    });
  }
  return classes;
}

/** A cycle, which only a damaged artifact has, ends where it closes. */
function chainOf(path: string, parents: ReadonlyMap<string, string | null>): string[] {
  const chain = [path];
  let parent = parents.get(path) ?? null;
  while (parent !== null && !chain.includes(parent)) {
    chain.push(parent);
    parent = parents.get(parent) ?? null;
  }
  return chain;
}
