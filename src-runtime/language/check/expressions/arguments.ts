/** Matches the arguments of a call, by position or by name, with the parameters of the callee. */

import type { Span } from '../../../base/span.js';
import type { Argument } from '../../ast.js';
import { type Finding, suggestion } from '../../finding.js';
import type { Misfit, Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import { choices } from '../names/names.js';
import type { LinkTarget } from '../program/checked.js';
import type { PredicateSymbol } from '../program/symbols.js';
import { isScalar, isSubtype, required, type Type, typeText } from '../program/types.js';

/** The callee, and where its name is declared. */
export interface Callee {
  readonly name: string;
  readonly nameSpan?: Span;
}

/**
 * The argument of each parameter, or null if a named call omits it. Undefined if the arguments do not fit, which has been reported.
 * `targetOf` gives the link target of the i-th parameter's name.
 */
export function alignArguments(
  session: Session,
  args: readonly Argument[],
  parameters: readonly string[],
  callee: Callee,
  span: Span,
  targetOf?: (index: number) => LinkTarget | undefined,
): (Argument | null)[] | undefined {
  const declared = callee.nameSpan && {
    notes: [{ message: `${callee.name} is declared here`, span: callee.nameSpan }],
  };
  if (!args.some((argument) => argument.name !== null)) {
    if (args.length === parameters.length) return [...args];
    const wanted = parameters.length === 1 ? '1 argument' : `${parameters.length} arguments`;
    report(session, 'E0207', span, `${callee.name} takes ${wanted}, got ${args.length}`, {
      hint:
        parameters.length === 0
          ? `Write \`${callee.name}()\`.`
          : `It takes: ${parameters.join(', ')}.${pointHint(args)}`,
      ...declared,
    });
    return undefined;
  }
  const aligned: (Argument | null)[] = parameters.map(() => null);
  for (const argument of args) {
    const name = argument.name;
    if (name === null) return undefined;
    const index = parameters.indexOf(name.text);
    if (index < 0) {
      report(session, 'E0106', name.span, `unknown argument "${name.text}" for ${callee.name}`, {
        hint: choices('It takes:', parameters),
        ...suggestion(name.text, parameters),
        ...declared,
      });
      return undefined;
    }
    const target = targetOf?.(index);
    if (target !== undefined) session.links.push({ span: name.span, target });
    if (aligned[index] !== null) {
      report(session, 'E0207', name.span, `duplicate argument "${name.text}"`, { hint: 'Remove one of them.' });
      return undefined;
    }
    aligned[index] = argument;
  }
  return aligned;
}

/** `50,5` for 50.5: two integers with a comma and no space between them. */
function pointHint(args: readonly Argument[]): string {
  const isWhole = ({ value }: Argument): boolean => value.kind === 'int';
  const at = args.findIndex((one, index) => {
    const next = args[index + 1];
    return (
      next !== undefined &&
      isWhole(one) &&
      isWhole(next) &&
      one.value.span.end.offset + 1 === next.value.span.start.offset
    );
  });
  return at < 0 ? '' : ' Write a decimal point: `12.5`.';
}

/**
 * Swapped arguments are one mistake: if several arguments do not fit but would in another order, only the first stays reported, with
 * the parameters as its hint. `before` is the number of findings before the arguments were checked.
 */
export function reportOnlyFirstMisfit(
  session: Session,
  before: number,
  args: readonly Argument[],
  callee: string,
  parameters: readonly { readonly name: string; readonly type: Type }[],
): void {
  const found = session.diagnostics.slice(before);
  const isMisfit = ({ code, span }: Finding): boolean =>
    code === 'E0201' && args.some(({ value }) => value.span.start.offset === span.start.offset);
  const [first, ...others] = found.filter(isMisfit);
  if (first === undefined || others.length === 0) return;
  const misfits = [first, ...others].flatMap((each) => session.misfits.get(each) ?? []);
  if (misfits.length > others.length && !wouldFit(misfits)) return;
  const taken = parameters.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
  const told = { ...first, hint: `${callee} takes (${taken}), in this order.` };
  const kept = found.filter((each) => !others.includes(each)).map((each) => (each === first ? told : each));
  session.diagnostics.splice(before, found.length, ...kept);
}

/** Whether the values fit each other's places, all at once: a bipartite matching by augmenting paths. */
function wouldFit(misfits: readonly Misfit[]): boolean {
  const valueAt = new Map<number, number>();
  const place = (value: number, tried: Set<number>): boolean =>
    misfits.some(({ expected }, at) => {
      if (tried.has(at) || !isTaken((misfits[value] as Misfit).given, expected)) return false;
      tried.add(at);
      const other = valueAt.get(at);
      if (other !== undefined && !place(other, tried)) return false;
      valueAt.set(at, value);
      return true;
    });
  return misfits.every((_, value) => place(value, new Set()));
}

function isTaken(given: Type, place: Type): boolean {
  if (isSubtype(given, place)) return true;
  return isScalar(required(given), 'Int') && isScalar(required(place), 'Decimal');
}

/** The link targets of a predicate's endpoints. The argument of a concept has no name. */
export function endpointTarget(of: PredicateSymbol): (index: number) => LinkTarget | undefined {
  return (index) => (of.kind === 'concept' ? undefined : { kind: 'endpoint', of, index });
}
