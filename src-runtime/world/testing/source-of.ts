/** Writes a random program as the text of a module that compiles to the same program. */

import type { Clause, Condition, Expression, Literal, RuleDeclaration, Term, Type } from '../../artifact/types.js';
import { isClass, type RandomProgram } from '../../engine/testing/random-program.js';

export const MODULE = 'random';

const SCHEMA = `module ${MODULE}
concept Person { age: Int?, boss: Person?, friends: [Person] via knows.q, mentor: Person? via mentors.q }
concept Worker is Person { grade: Int? }
relation edge(a: Int, b: Int)
relation mark(a: Int)
relation way(l: [Int])
relation pair(s: { n: Int, p: Person }, a: Int)
relation owns(p: Person, a: Int)
relation knows(p: Person, q: Person)
relation mentors(p: Person, q: Person [0..1])
`;

export function sourceOf({ levels }: RandomProgram): string {
  return SCHEMA + levels.flat().map(ruleText).join('');
}

function ruleText({ path, parameters, body }: RuleDeclaration): string {
  if (body.op !== 'rule') throw new Error(`${path} has no clauses`);
  const word = isClass(path) ? 'define' : 'derive';
  const types = parameters.map(({ type }) => typeText(type));
  const words = parameters.map(({ keeps }) => (keeps === undefined ? '' : `${keeps} `));
  return body.clauses.map((clause) => `${word} ${path}${clauseText(clause, types, words)}\n`).join('');
}

/** A head binds a variable once. A repeated variable becomes another one that is equal to it. */
function clauseText({ head, condition }: Clause, types: readonly string[], words: readonly string[]): string {
  const printer = new Printer();
  const again: string[] = [];
  const names = head.map((term, index) => {
    const name = variableOf(term);
    if (!head.slice(0, index).some((other) => variableOf(other) === name)) return name;
    again.push(`let h${index} = ${name}`);
    return `h${index}`;
  });
  const parameters = names.map((name, index) => `${words[index]}${name}: ${types[index]}`).join(', ');
  return `(${parameters}) when ${[...printer.literals(condition), ...again].join(', ')}`;
}

class Printer {
  private helpers = 0;

  literals({ literals }: Condition): string[] {
    return literals.flatMap((literal) => this.literal(literal));
  }

  private literal(literal: Literal): string[] {
    switch (literal.op) {
      case 'atom':
        return fieldOf(literal.relation) === undefined
          ? [`${literal.relation}(${argsText(literal.args)})`]
          : this.fieldAtom(literal.relation, literal.args);
      case 'absent':
        return this.absence(literal.relation, literal.args);
      case 'let':
        return [`let ${literal.variable} = ${this.expression(literal.value)}`];
      case 'each':
        return [`${literal.variable} in ${this.expression(literal.in)}`];
      case 'test':
        return [this.expression(literal.condition)];
      case 'either':
        return [`(${literal.branches.map((branch) => this.literals(branch).join(', ')).join(' or ')})`];
    }
  }

  /** The tuple of a field is an individual of its concept and the field's value. */
  private fieldAtom(path: string, [of = null, value = null]: readonly (Term | null)[]): string[] {
    const owner = of === null ? this.helper() : this.expression(of);
    const read = `${owner}.${fieldOf(path)}`;
    const isOwner = `${path.split('.')[0]}(${owner})`;
    if (value === null) return [isOwner, `exists(${read})`];
    return [isOwner, value.op === 'variable' ? `let ${value.name} = ${read}` : `${read} == ${this.expression(value)}`];
  }

  private absence(path: string, args: readonly (Term | null)[]): string[] {
    if (fieldOf(path) === undefined) return [`not ${path}(${argsText(args)})`];
    const counted = this.helper();
    const [of = null, value = null] = args;
    const found = this.fieldAtom(path, [{ op: 'variable', name: counted }, value]);
    if (of !== null) found.push(`${counted} == ${this.expression(of)}`);
    return [`count(for ${counted} where ${found.join(', ')}) == 0`];
  }

  private builtIn(name: string, args: readonly string[]): string {
    if (name === 'joinLists') return `(${args.join(' ++ ')})`;
    return name === 'elementAt' ? `${args[0]}[${args[1]}]` : `${name}(${args.join(', ')})`;
  }

  private helper(): string {
    this.helpers += 1;
    return `x${this.helpers}`;
  }

  private expression(node: Expression): string {
    const text = (part: Expression): string => this.expression(part);
    switch (node.op) {
      case 'variable':
        return node.name;
      case 'constant':
        return node.type.kind === 'scalar' ? JSON.stringify(node.value) : String(node.value);
      case 'none':
        return 'none';
      case 'field':
        return `${text(node.of)}.${fieldOf(node.field)}`;
      case 'navigate':
        return `${text(node.of)}.${fieldOf(node.field)}`;
      case 'compare':
        return `(${text(node.left)} ${node.operator} ${text(node.right)})`;
      case 'and':
      case 'or':
        return `(${node.operands.map(text).join(` ${node.op} `)})`;
      case 'not':
        return `(not ${text(node.operand)})`;
      case 'exists':
        return `exists(${text(node.operand)})`;
      case 'coalesce':
        return `(${text(node.left)} ?? ${text(node.right)})`;
      case 'arithmetic':
        return `(${text(node.left)} ${node.operator} ${text(node.right)})`;
      case 'range':
        return `range(${[node.from, node.to, ...(node.step === undefined ? [] : [node.step])].map(text).join(', ')})`;
      case 'list':
        return `[${node.items.map(text).join(', ')}]`;
      case 'record':
        return `{ ${node.fields.map(({ name, value }) => `${name}: ${text(value)}`).join(', ')} }`;
      case 'member':
        return `${text(node.of)}.${node.name}`;
      case 'builtIn':
        return this.builtIn(node.name, node.args.map(text));
      case 'aggregate': {
        const value = node.value === null ? '' : `${text(node.value)} `;
        const body = this.literals(node.condition).join(', ');
        return `${node.function}(${value}for ${node.over.join(', ')} where ${body})`;
      }
      default:
        throw new Error(`random programs do not contain ${node.op}`);
    }
  }
}

function argsText(args: readonly (Term | null)[]): string {
  return args.map((arg) => (arg === null ? '_' : arg.op === 'variable' ? arg.name : String(arg.value))).join(', ');
}

function variableOf(term: Expression): string {
  if (term.op !== 'variable') throw new Error('expected a variable in the head');
  return term.name;
}

/** The name of a field by its path; undefined for a relation. */
function fieldOf(path: string): string | undefined {
  return path.split('.')[1];
}

function typeText(type: Type): string {
  if (type.kind === 'list') return `[${typeText(type.of)}]`;
  if (type.kind === 'record')
    return `{ ${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')} }`;
  return type.kind === 'class' ? type.path : 'Int';
}
