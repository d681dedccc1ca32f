/** The environment of an expression or body: the bindings, the kind of place, and where to report. */

import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import type { CodeName } from '../../codes/registry.js';
import { CODES } from '../../codes/registry.js';
import type { Finding, FindingDetails } from '../../finding.js';
import type { Constant, Expression, Link, Variable } from '../program/checked.js';
import type { ClassSymbol, ContextSymbol, DeclaredSymbol } from '../program/symbols.js';
import { required, type Type, typeText } from '../program/types.js';
import type { ModuleTable, NameTable } from './names.js';

/** Declarations that the checked modules can use and that are not checked. They are never changed. */
export interface ExternalDeclarations {
  readonly symbols: readonly DeclaredSymbol[];
  readonly context: readonly ContextSymbol[];
  /** The imports of each module. */
  readonly imported: ReadonlyMap<string, readonly DeclaredSymbol[]>;
}

export const NO_EXTERNAL_DECLARATIONS: ExternalDeclarations = { symbols: [], context: [], imported: new Map() };

/** One check of a program: its names, and everything found and linked so far. */
export interface Session {
  readonly names: NameTable;
  readonly diagnostics: Finding[];
  readonly links: Link[];
  readonly context: Map<string, ContextSymbol>;
  readonly refined: RefinedConstant[];
  /** The types of each type mismatch. */
  readonly misfits: Map<Finding, Misfit>;
  /** Depth of the current expression in its tree, as far as operator chains add to it. */
  depth: number;
}

export interface Misfit {
  readonly given: Type;
  readonly expected: Type;
}

/** Names visible at a place. A lookup may work out a variable's type first. */
export interface Bindings {
  find(name: string): Variable | undefined;
  /** Does not compute a type: undefined also if the type is not known yet. */
  peek(name: string): Variable | undefined;
  all(): Iterable<string>;
}

export const NO_BINDINGS: Bindings = { find: () => undefined, peek: () => undefined, all: () => [] };

/**
 * The kind of place, which decides what is allowed: `pure` is a function or refinement, `rule` a derive, define or check, `request`
 * a query, mutation or test.
 */
export type Place = 'pure' | 'rule' | 'request';

export interface Environment {
  readonly session: Session;
  readonly module: ModuleTable;
  readonly bindings: Bindings;
  readonly place: Place;
  /** In a body, an absent value makes a literal false. Elsewhere, none is refused where a value is required. */
  readonly absentFails: boolean;
  /** At a name that is an argument of a negated tuple, where `_` matches any value. */
  readonly isNegatedArgument?: boolean;
  /** Names bound by a nearby body that are not visible here, and the hint for each. */
  readonly hidden?: { readonly names: ReadonlySet<string>; readonly hint: (name: string) => string };
  /** The alternatives of the body that are being checked together. */
  readonly branches?: readonly Branch[];
  /** Variables and field paths (`l.email`) that are known to be present. */
  readonly narrowed: ReadonlySet<string>;
  /** Classes that variables and field paths are known to belong to. */
  readonly classes?: ReadonlyMap<string, readonly ClassSymbol[]>;
  /** The value of a query call, in an expectation of a test. */
  readonly query?: (call: syntax.CallExpression, inner: Environment) => Expression;
}

/** One of several alternatives. */
export interface Branch {
  readonly span: Span;
  readonly names: ReadonlySet<string>;
  /** The names in any of the alternatives. */
  readonly others: ReadonlySet<string>;
}

/** Details for a name that is not bound because one alternative lacks it. */
export function missingInBranch({ branches = [] }: Environment, name: string): FindingDetails | undefined {
  const branch = branches.find(({ names, others }) => others.has(name) && !names.has(name));
  if (branch === undefined) return undefined;
  return {
    hint: `Bind "${name}" in every alternative, or use it only in those that bind it.`,
    notes: [{ message: `this alternative does not bind "${name}"`, span: branch.span }],
  };
}

/** Functions only depend on their parameters. A caller may know a better hint. */
export function refuseImpure(
  env: Environment,
  span: Span,
  hint = 'Pass the value as a parameter, or write a derive.',
): void {
  report(env.session, 'E0601', span, 'functions and refinements cannot use relations or classes', { hint });
}

/** Adds a diagnostic; the severity follows from the code's letter. */
export function report(session: Session, code: CodeName, span: Span, message: string, details: FindingDetails): void {
  session.diagnostics.push({ code, severity: CODES[code].severity, message, span, ...details });
}

/** Notes that a variable is mentioned, or introduced, at a place. */
export function linkVariable(session: Session, span: Span, variable: Variable): void {
  session.links.push({ span, target: { kind: 'variable', variable } });
}

/** A variable with the name of a member of its type would be ambiguous. */
export function refuseMemberName(session: Session, { name, type, span }: Variable): void {
  const inner = required(type);
  if (inner.kind !== 'enum' || !inner.symbol.members.some((member) => member.name.text === name)) return;
  report(session, 'E0110', span, `variable "${name}" has the name of a member of ${typeText(inner)}`, {
    hint: 'Rename the variable.',
    subject: name,
  });
}

/** Bindings with more names in front. */
export function withVariables(outer: Bindings, variables: readonly Variable[]): Bindings {
  const own = new Map(variables.map((variable) => [variable.name, variable]));
  return {
    find: (name) => own.get(name) ?? outer.find(name),
    peek: (name) => own.get(name) ?? outer.peek(name),
    all: () => [...own.keys(), ...outer.all()],
  };
}

export interface RefinedConstant {
  readonly refinement: Expression;
  readonly value: Expression & { readonly kind: 'constant'; readonly value: Constant };
  /** The span of the refinement. */
  readonly place: Span;
  readonly what: string;
}
