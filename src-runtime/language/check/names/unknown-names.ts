/** Hints for a name that is not a value: the field of a variable, an individual, an enum member, a typo. */

import { type FindingDetails, suggestion } from '../../finding.js';
import { FOREIGN_VALUE_NAMES, FOREIGN_VALUES, foreignHint, foreignName } from '../../foreign-words.js';
import { BUILT_INS } from '../program/built-ins.js';
import { fieldsOf } from '../program/symbols.js';
import { DATE, DATE_TIME, required, sameType, type Type } from '../program/types.js';
import { type Environment, missingInBranch } from './environment.js';
import type { ModuleTable } from './names.js';

/** The hint for a name that nothing declares or binds, with its remedy. */
export function unknownNameHint(env: Environment, name: string, expected: Type | undefined): FindingDetails {
  const plain = (hint: string | undefined) => (hint === undefined ? undefined : { hint });
  return (
    missingInBranch(env, name) ??
    foreignName(FOREIGN_VALUE_NAMES, name) ??
    plain(foreignHint(FOREIGN_VALUES, name)) ??
    plain(env.hidden?.names.has(name) ? env.hidden.hint(name) : undefined) ??
    plain(fieldHint(env, name)) ??
    suggestion(name, [...env.bindings.all()]) ??
    plain(memberHint(env.module, name)) ??
    suggestion(name, ['none', 'true', 'false']) ??
    (env.isNegatedArgument === true && env.absentFails ? UNBOUND_IN_NEGATION : { hint: placeHint(env, name, expected) })
  );
}

/** `not tenantOf(l, p)` usually means that no `p` exists. */
const UNBOUND_IN_NEGATION: FindingDetails = {
  hint: 'Write `_` for any value, or bind it with a tuple, a class, `in` or `let`.',
  remedies: [{ kind: 'replace', text: '_' }],
};

/** What a name can be at this place. */
function placeHint(env: Environment, name: string, expected: Type | undefined): string {
  if (expected?.kind === 'class' && !env.absentFails) return `Write \`@${name}\` for a declared individual.`;
  if (env.bindings.peek('value')?.implicit === true) {
    return 'A refinement can only use `value`. Compare fields in a check, and parameters with `require`.';
  }
  return env.absentFails
    ? 'Bind it with a tuple, a class, `in` or `let`.'
    : 'Use a parameter, or a name from `let` or `for`.';
}

/** The function for what other languages read as a field. */
export function functionHint(type: Type, name: string): string {
  const function_ = name.toLowerCase() === 'date' ? 'dateOf' : name;
  const takes = (of: Type) =>
    (BUILT_INS.get(function_) ?? []).some(
      ({ parameters: [only, ...others] }) => only !== undefined && others.length === 0 && sameType(only.type, of),
    );
  if (takes(type)) return `Write \`${function_}(…)\` with the value in parentheses.`;
  if (sameType(type, DATE_TIME) && takes(DATE)) return `Write \`${function_}(dateOf(…))\`.`;
  return 'Only individuals and records have fields.';
}

/** As other languages leave the row out of `row.field`. */
function fieldHint(env: Environment, name: string): string | undefined {
  for (const variable of env.bindings.all()) {
    const { type, implicit } = env.bindings.peek(variable) ?? {};
    const plain = type === undefined ? undefined : required(type);
    if (plain?.kind !== 'class' || implicit === true) continue;
    if (fieldsOf(plain.symbol).some((field) => field.name === name)) return `Write \`${variable}.${name}\`.`;
  }
  return undefined;
}

/** An enum member whose enum cannot be inferred. */
function memberHint(module: ModuleTable, name: string): string | undefined {
  for (const symbol of [...module.declared.values(), ...module.imported.values()]) {
    if (symbol.kind !== 'enum' || !symbol.members.some((member) => member.name.text === name)) continue;
    return `Compare a value with it, \`… == ${name}\`, or write \`${symbol.name}::${name}\`.`;
  }
  return undefined;
}
