/**
 * Types a body: finds its variables and their types, then types its literals. A variable has the most specific type of its positive
 * uses. The type of a variable that only a `let` or `in` introduces is computed on first use.
 */

import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import type { FindingDetails, Remedy } from '../../finding.js';
import type { Bindings, Environment } from '../names/environment.js';
import { refuseMemberName, report } from '../names/environment.js';
import type { ModuleTable } from '../names/names.js';
import { eachName, eachNameInBody } from '../names/occurrences.js';
import type { Condition, Expression, Literal, Variable } from '../program/checked.js';
import type { Type } from '../program/types.js';
import { commonType, ERROR, isNumber, narrower, sameType, typeText } from '../program/types.js';
import { partsOf, partsOfLiteral } from '../program/walk.js';
import { combinationsOf } from './combinations.js';
import { memberOf, withClasses } from './expressions.js';
import type { AtomSyntax } from './literals.js';
import {
  argumentsOfUnknown,
  atomOf,
  checkAtom,
  checkEach,
  checkLet,
  checkTest,
  variableArguments,
} from './literals.js';
import { checkSafety, reportUnbound } from './safety.js';

export interface BodyOptions {
  /** Names from outside that the body itself must bind: a rule's parameters, an aggregate's variables. */
  readonly mustBind?: readonly { readonly name: string; readonly span: Span; readonly type?: Type }[];
  /** Names that range over a class as if it were first in the body: parameters of defines and checks. */
  readonly given?: readonly { readonly name: string; readonly span: Span; readonly type: Type }[];
  /** Expressions outside the literals that mention the variables. */
  readonly reads?: readonly syntax.Expression[];
}

export interface CheckedBody {
  readonly condition: Condition;
  /** The outer names and those of the body. */
  readonly bindings: Bindings;
  /** For expressions that see the body's variables; as strict about absent values as the place outside. */
  readonly env: Environment;
  /** One, or one for each combination of its alternatives. */
  readonly conjunctions: readonly CheckedConjunction[];
}

export interface CheckedConjunction {
  readonly condition: Condition;
  readonly bindings: Bindings;
  /** The alternatives that it consists of; absent if the body has none. */
  readonly branches?: readonly Span[];
}

/** A variable of the body while its type is being found. */
interface Draft {
  readonly name: string;
  readonly span: Span;
  readonly uses: { readonly type: Type; readonly span: Span }[];
  readonly definitions: (syntax.Literal & { kind: 'let' | 'in' })[];
  readonly declared: Type | undefined;
  variable: Variable | undefined;
  resolving: boolean;
}

export function checkBody(env: Environment, body: syntax.Body, options: BodyOptions = {}): CheckedBody {
  const combinations = combinationsOf(env, body);
  const found = env.session.diagnostics.length;
  // A name is the same variable in all combinations, so that renaming it renames all of its uses.
  const places = new Map<string, Span>();
  const conjunctions = combinations.map(({ literals, branches }): CheckedConjunction => {
    const isOne = combinations.length === 1;
    const own = isOne ? env : { ...env, branches: [...(env.branches ?? []), ...branches] };
    const checked = checkConjunction(own, body, { ...body, literals }, options, places);
    return isOne ? checked : { ...checked, branches: branches.map(({ span }) => span) };
  });
  if (conjunctions.length > 1) forgetRepeated(env.session, found);
  const [first, ...others] = conjunctions;
  if (first !== undefined && others.length === 0) {
    const { condition, bindings } = first;
    const hidden = hiddenInAggregates(condition.literals);
    return { condition, bindings, env: withClasses({ ...env, bindings, ...hidden }, heldIn(body)), conjunctions };
  }
  const branches = [...(env.branches ?? []), ...combinations.flatMap((each) => each.branches)];
  return { ...union({ ...env, branches }, body, conjunctions), conjunctions };
}

/** The positive conditions of a body. */
export function heldIn({ literals }: syntax.Body): syntax.Expression[] {
  return literals.flatMap((literal) => (literal.kind === 'holds' ? [literal.expression] : []));
}

/** Drops what several combinations of one body report alike. */
export function forgetRepeated({ diagnostics }: Environment['session'], from: number): void {
  const seen = new Set<string>();
  const kept = diagnostics.slice(from).filter(({ code, message, span }) => {
    const key = `${code} ${span.start.offset} ${span.end.offset} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
  diagnostics.splice(from, diagnostics.length - from, ...kept);
}

/** The condition that holds if one of the conjunctions does. It binds the names that all of them bind. */
function union(
  env: Environment,
  body: syntax.Body,
  conjunctions: readonly CheckedConjunction[],
): Omit<CheckedBody, 'conjunctions'> {
  const shared = new Map<string, SharedVariable | undefined>();
  const peek = (name: string): SharedVariable | undefined => {
    if (!shared.has(name)) shared.set(name, sharedVariable(name, conjunctions));
    return shared.get(name);
  };
  const find = (name: string): Variable | undefined => {
    const known = peek(name);
    if (known?.other === undefined) return known?.variable;
    const { variable, other } = known;
    const message = `"${name}" is ${typeText(variable.type)} in one alternative and ${typeText(other.type)} in another`;
    report(env.session, 'E0204', other.span, message, { hint: 'Use values of one type, or two variables.' });
    shared.set(name, { variable: { ...variable, type: ERROR } });
    return shared.get(name)?.variable;
  };
  const names = new Set(conjunctions.flatMap(({ bindings }) => [...bindings.all()]));
  const bindings: Bindings = {
    find,
    peek: (name) => peek(name)?.variable,
    all: () => [...names].filter((name) => peek(name) !== undefined),
  };
  const [first] = conjunctions;
  const variables = (first?.condition.variables ?? []).flatMap(({ name }) => {
    const isIntroduced = conjunctions.every(({ condition }) => condition.variables.some((each) => each.name === name));
    const known = isIntroduced ? peek(name) : undefined;
    return known === undefined || known.other !== undefined ? [] : [known.variable];
  });
  const branches = conjunctions.map(({ condition }) => condition);
  const condition: Condition = { variables, literals: [{ kind: 'either', branches, span: body.span }] };
  const hidden = hiddenInAggregates(branches.flatMap(({ literals }) => literals));
  return { condition, bindings, env: { ...env, bindings, ...hidden } };
}

interface SharedVariable {
  readonly variable: Variable;
  /** Its variable in another alternative, of a type that does not fit. */
  readonly other?: Variable;
}

/** The variable outside a body with alternatives: its type covers those in all of them. Undefined if one lacks it. */
function sharedVariable(name: string, conjunctions: readonly CheckedConjunction[]): SharedVariable | undefined {
  const [first, ...others] = conjunctions.map(({ bindings }) => bindings.find(name));
  if (first === undefined) return undefined;
  let { type } = first;
  for (const other of others) {
    if (other === undefined) return undefined;
    const isMixed = isNumber(type) && isNumber(other.type) && !sameType(type, other.type);
    const common = isMixed ? undefined : commonType(type, other.type);
    if (common === undefined) return { variable: first, other };
    type = common;
  }
  return { variable: type === first.type ? first : { name, type, span: first.span } };
}

function checkConjunction(
  env: Environment,
  written: syntax.Body,
  body: syntax.Body,
  options: BodyOptions,
  places: Map<string, Span>,
): CheckedConjunction {
  const drafts = new Map<string, Draft>();
  for (const { name, span, type } of options.mustBind ?? []) drafts.set(name, newDraft(name, span, type));
  for (const { name, span, type } of options.given ?? []) {
    const draft = newDraft(name, span, type);
    draft.uses.push({ type, span });
    drafts.set(name, draft);
  }
  const atoms = new Map<syntax.Literal, AtomSyntax>();
  for (const literal of body.literals) {
    const atom = atomOf(env, literal);
    if (atom !== undefined) atoms.set(literal, atom);
    collect(env, literal, atom, drafts, places);
  }
  const definitions = new Map<syntax.Literal, Literal>();
  const bindings: Bindings = {
    find: (name) => {
      const draft = drafts.get(name);
      return draft === undefined ? env.bindings.find(name) : resolveDraft(inner, draft, definitions);
    },
    peek: (name) => {
      const draft = drafts.get(name);
      return draft === undefined ? env.bindings.peek(name) : draft.variable;
    },
    all: () => [...drafts.keys(), ...env.bindings.all()],
  };
  const inner: Environment = withClasses({ ...env, bindings, absentFails: true }, heldIn(body));
  for (const draft of inOrder(inner, drafts)) resolveDraft(inner, draft, definitions);
  const literals = body.literals.flatMap((literal) => checkLiteral(inner, literal, atoms.get(literal), definitions));
  const outside = new Set([...(options.mustBind ?? []), ...(options.given ?? [])].map((parameter) => parameter.name));
  const variables = [...drafts.values()].flatMap((draft) => (draft.variable === undefined ? [] : [draft.variable]));
  const bound = new Set((options.given ?? []).map((parameter) => parameter.name));
  checkSafety(inner, literals, variables, bound, options.mustBind ?? []);
  warnOfSingleUses(env, written, options, drafts, outside);
  const introduced = variables.filter((variable) => !outside.has(variable.name));
  return { condition: { variables: introduced, literals }, bindings };
}

/** Variables of an aggregate are only visible in the aggregate. */
function hiddenInAggregates(literals: readonly Literal[]): Pick<Environment, 'hidden'> {
  const inner = new Map<string, Type>();
  const visit = (expression: Expression): void => {
    if (expression.kind === 'aggregate') {
      for (const { name, type } of expression.condition.variables) inner.set(name, type);
    }
    for (const part of partsOf(expression)) visit(part);
  };
  for (const literal of literals) for (const part of partsOfLiteral(literal)) visit(part);
  if (inner.size === 0) return {};
  const hint = (name: string): string => {
    const type = inner.get(name);
    const condition = type?.kind === 'class' ? `\`${typeText(type)}(${name})\`` : 'a condition that binds it';
    return `It is local to the aggregate. Add ${condition} to the body outside.`;
  };
  return { hidden: { names: new Set(inner.keys()), hint } };
}

function newDraft(name: string, span: Span, declared: Type | undefined): Draft {
  return { name, span, uses: [], definitions: [], declared, variable: undefined, resolving: false };
}

/** Collects the variables of a literal: their endpoints, and the `let` or `in` that defines them. */
function collect(
  env: Environment,
  literal: syntax.Literal,
  atom: AtomSyntax | undefined,
  drafts: Map<string, Draft>,
  places: Map<string, Span>,
): void {
  const draftOf = (name: string, span: Span): Draft | undefined => {
    const known = drafts.get(name);
    if (known !== undefined) return known;
    if (env.bindings.find(name) !== undefined) return undefined;
    const draft = newDraft(name, places.get(name) ?? span, undefined);
    places.set(name, draft.span);
    drafts.set(name, draft);
    return draft;
  };
  if (literal.kind === 'let' || literal.kind === 'in') {
    draftOf(literal.name.text, literal.name.span)?.definitions.push(literal);
    return;
  }
  if (atom === undefined) {
    for (const { name, span } of argumentsOfUnknown(env, literal))
      draftOf(name, span)?.uses.push({ type: ERROR, span });
    return;
  }
  if (atom.negated) return;
  for (const { name, span, type } of variableArguments(atom)) {
    if (memberOf(type, name) !== undefined) continue;
    draftOf(name, span)?.uses.push({ type, span });
  }
}

function resolveDraft(env: Environment, draft: Draft, definitions: Map<syntax.Literal, Literal>): Variable {
  if (draft.variable !== undefined) return draft.variable;
  const make = (type: Type): Variable => {
    draft.variable ??= { name: draft.name, type, span: draft.span, places: draft.uses.map((use) => use.type) };
    refuseMemberName(env.session, draft.variable);
    return draft.variable;
  };
  if (draft.uses.length > 0) return make(typeOfUses(env, draft));
  if (draft.resolving) {
    report(env.session, 'E0403', draft.span, `the value of "${draft.name}" depends on itself`, {
      hint: 'Bind one value of the cycle with a tuple or a constant.',
    });
    return make(ERROR);
  }
  const [definition] = draft.definitions;
  if (definition === undefined) {
    if (draft.declared === undefined) reportUnbound(env, draft.name, draft.span);
    return make(draft.declared ?? ERROR);
  }
  if (definition.kind === 'let' && definition.isInHead && draft.declared !== undefined) {
    const variable = make(draft.declared);
    definitions.set(definition, checkLet(env, definition, variable, undefined));
    return variable;
  }
  draft.resolving = true;
  const literal =
    definition.kind === 'let'
      ? checkLet(env, definition, undefined, (type) => draft.variable ?? make(type))
      : checkEach(env, definition, undefined, (type) => draft.variable ?? make(type), draft.declared);
  draft.resolving = false;
  definitions.set(definition, literal);
  return draft.variable ?? make(ERROR);
}

/**
 * Sorts drafts after those that their `let` or `in` reads, so that resolving them does not recurse deeply. Reports one draft of each
 * cycle and treats it as resolved.
 */
function inOrder(env: Environment, drafts: ReadonlyMap<string, Draft>): Draft[] {
  const waiting = new Map<Draft, Set<Draft>>();
  const readers = new Map<Draft, Draft[]>();
  for (const draft of drafts.values()) {
    const reads = draftsRead(draft, drafts);
    waiting.set(draft, reads);
    for (const read of reads) readers.set(read, [...(readers.get(read) ?? []), draft]);
  }
  const order = [...waiting.keys()].filter((draft) => waiting.get(draft)?.size === 0);
  const settle = () => {
    for (const draft of order) {
      waiting.delete(draft);
      for (const reader of readers.get(draft) ?? []) {
        const rest = waiting.get(reader);
        if (rest?.delete(draft) && rest.size === 0) order.push(reader);
      }
    }
  };
  settle();
  for (let [stuck] = waiting.keys(); stuck !== undefined; [stuck] = waiting.keys()) {
    // Following the dependencies ends in a cycle. The first draft seen twice is on it.
    const seen = new Set<Draft>();
    for (let at: Draft | undefined = stuck; at !== undefined; [at] = waiting.get(at) ?? []) {
      stuck = at;
      if (seen.has(at)) break;
      seen.add(at);
    }
    report(env.session, 'E0403', stuck.span, `the value of "${stuck.name}" depends on itself`, {
      hint: 'Bind one value of the cycle with a tuple or a constant.',
    });
    stuck.variable = { name: stuck.name, type: ERROR, span: stuck.span };
    waiting.get(stuck)?.clear();
    order.push(stuck);
    settle();
  }
  return order;
}

/** The drafts that must be resolved first: none if a tuple gives the type. */
function draftsRead(draft: Draft, drafts: ReadonlyMap<string, Draft>): Set<Draft> {
  const [definition] = draft.definitions;
  const reads = new Set<Draft>();
  if (draft.uses.length > 0 || definition === undefined) return reads;
  eachName(definition.kind === 'let' ? definition.value : definition.source, (name) => {
    const read = drafts.get(name);
    if (read !== undefined) reads.add(read);
  });
  return reads;
}

function typeOfUses(env: Environment, draft: Draft): Type {
  let type = draft.uses[0]?.type ?? ERROR;
  for (const use of draft.uses.slice(1)) {
    const common = narrower(type, use.type);
    if (common === undefined) {
      report(
        env.session,
        'E0204',
        use.span,
        `"${draft.name}" is ${typeText(type)} elsewhere and ${typeText(use.type)} here`,
        {
          hint: 'Use two variables, or correct one of the two uses.',
          notes: [
            { message: `it is ${typeText(draft.uses[0]?.type ?? type)} here`, span: draft.uses[0]?.span ?? draft.span },
          ],
        },
      );
      return ERROR;
    }
    type = common;
  }
  return type;
}

function checkLiteral(
  env: Environment,
  literal: syntax.Literal,
  atom: AtomSyntax | undefined,
  definitions: ReadonlyMap<syntax.Literal, Literal>,
): Literal[] {
  if (atom !== undefined) return checkAtom(env, atom, literal.span);
  const done = definitions.get(literal);
  if (done !== undefined) return [done];
  switch (literal.kind) {
    case 'let':
      return [checkLet(env, literal, env.bindings.find(literal.name.text), undefined)];
    case 'in':
      return [checkEach(env, literal, env.bindings.find(literal.name.text), undefined)];
    case 'not':
      return [checkTest(env, { kind: 'not', operand: literal.operand, span: literal.span }, literal.span)];
    case 'holds':
      return [checkTest(env, literal.expression, literal.span)];
  }
}

function warnOfSingleUses(
  env: Environment,
  body: syntax.Body,
  options: BodyOptions,
  drafts: ReadonlyMap<string, Draft>,
  outside: ReadonlySet<string>,
): void {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  eachNameInBody(body, count);
  for (const expression of options.reads ?? []) eachName(expression, count);
  for (const draft of drafts.values()) {
    if (outside.has(draft.name) || draft.name.startsWith('_') || counts.get(draft.name) !== 1) continue;
    // An undeclared relation may expect something else there.
    if (draft.uses.some(({ type }) => type.kind === 'error')) continue;
    report(env.session, 'W0401', draft.span, `"${draft.name}" is used only once`, usedOnceHint(env.module, draft));
  }
}

function usedOnceHint(module: ModuleTable, { name, definitions }: Draft): FindingDetails {
  const unused = `name it "_${name}"`;
  if (definitions.length > 0) return { hint: `Remove it, or ${unused}.` };
  const hint = `Write \`_\`, or ${unused}.`;
  const wildcard: Remedy = { kind: 'replace', text: '_' };
  const declared = module.declared.get(name) ?? module.imported.get(name);
  if (declared?.kind !== 'individual') return { hint, remedies: [wildcard] };
  const individual: Remedy = { kind: 'replace', text: `@${name}` };
  return { hint: `Write \`@${name}\` for the individual. ${hint}`, remedies: [individual, wildcard] };
}
