/** The pieces that several items share: parameters, refinements, defaults, navigation. */

import type { Expression, Field, HeadParameter, Parameter, Via } from '../ast.js';
import { FOREIGN_FIELDS, foreignHint } from '../foreign-words.js';
import type { Cursor } from './cursor.js';
import { expression } from './expressions.js';
import { anyWord, bracketed, declaredName, path } from './names.js';
import { type } from './types.js';

export function parameters(p: Cursor): Parameter[] {
  return bracketed(
    p,
    ['(', ')'],
    'before the parameters',
    () => parameter(p),
    'required',
    () => p.at('->'),
  );
}

/** Parameters of rules: a type, and nothing behind it. */
export function headParameters(p: Cursor): HeadParameter[] {
  return bracketed(p, ['(', ')'], 'before the parameters', () => headParameter(p));
}

export function headParameter(p: Cursor): HeadParameter {
  const { name, type: parameterType, doc, span, refinement, default: fallback } = parameter(p, IN_HEADS);
  const surplus = refinement ?? fallback;
  if (surplus !== null) {
    p.report('E0028', 'parameters of rules have neither refinement nor default', surplus.span, { hint: BODY_HINT });
  }
  return { name, type: parameterType, doc, span };
}

const BODY_HINT = 'Leave it out, and write the condition in the body.';

/** In other languages of rules a further clause has names only. */
const IN_HEADS = 'Parameters have types, in every clause';

function parameter(p: Cursor, rule = 'Every parameter has a type'): Parameter {
  const start = p.index;
  const doc = p.takeDoc();
  const name = declaredName(p, 'the name of a parameter');
  p.expect(':', 'behind the name of a parameter', `${rule}: write \`${name.text}: Type\`.`);
  const parameterType = type(p);
  refuseRange(p, rule === IN_HEADS ? BODY_HINT : undefined);
  const refinement = p.acceptWord('where') ? expression(p) : null;
  const fallback = defaultValue(p);
  refuseLateClauses(p, `${name.text}: Type where … = default`);
  return { name, type: parameterType, refinement, default: fallback, doc, span: p.spanFrom(start) };
}

/** Behind the type of an endpoint, which has nothing of what a field may have there. */
export function refuseFieldClauses(p: Cursor): void {
  const start = p.index;
  const isUnique = p.acceptWord('unique');
  const uniqueSpan = p.spanFrom(start);
  const refinement = p.acceptWord('where') ? expression(p) : null;
  const surplus = refinement ?? defaultValue(p);
  if (surplus === null && !isUnique) return;
  const hint = 'Leave it out, and constrain the tuples with a check.';
  p.report('E0028', 'an endpoint is neither unique nor refined and has no default', surplus?.span ?? uniqueSpan, {
    hint,
  });
}

/** `Int [0..100]`, `Text(30)` and `Int >= 0` of other languages. */
function refuseRange(
  p: Cursor,
  hint = 'Write `where value >= 0 and value <= 100`, of a text `where length(value) <= 100`; `T?` is a T or none.',
): void {
  const isRange = p.current.kind === 'int' || ((p.at('[') || p.at('(')) && p.peek(1).kind === 'int');
  if (!isRange && !(p.current.kind === 'punctuation' && /^[<>]=?$/.test(p.current.text))) return;
  p.fail('E0010', `no range stands behind a type, and ${p.found()} does here`, { hint });
}

/** Clauses in the wrong order are read as well, so that they cost one finding. */
function refuseLateClauses(p: Cursor, order: string): void {
  const start = p.index;
  const isUnique = p.acceptWord('unique');
  const isRefined = p.acceptWord('where');
  if (!isUnique && !isRefined) return;
  if (isRefined) expression(p);
  const late = isRefined ? 'where' : 'unique';
  p.report('E0028', `\`${late}\` stands behind what it belongs before`, p.spanFrom(start), {
    hint: `The order is \`${order}\`.`,
  });
  defaultValue(p);
}

function defaultValue(p: Cursor): Expression | null {
  return p.accept('=') ? expression(p) : null;
}

export function field(p: Cursor): Field {
  const start = p.index;
  const doc = p.takeDoc();
  const name = anyWord(p, 'the name of a field');
  const foreign = foreignHint(FOREIGN_FIELDS, name.text) ?? foreignHint(FOREIGN_FIELDS, p.current.text);
  p.expect(':', 'behind the name of a field', foreign ?? 'Every field has a type: write `name: Type`.');
  const fieldType = type(p);
  refuseRange(p);
  const via = p.atWord('via') ? navigation(p) : null;
  const unique = p.acceptWord('unique');
  const refinement = p.acceptWord('where') ? expression(p) : null;
  const fallback = defaultValue(p);
  refuseLateClauses(p, `${name.text}: Type unique where … = default`);
  const span = p.spanFrom(start);
  if (via === null) return { name, type: fieldType, unique, refinement, default: fallback, via, doc, span };
  if (unique || refinement !== null || fallback !== null) {
    const hint = 'A navigation field is read through its relation: constrain the relation.';
    p.report('E0028', 'a navigation field is neither unique nor refined and has no default', span, { hint });
  }
  return { name, type: fieldType, unique: false, refinement: null, default: null, via, doc, span };
}

function navigation(p: Cursor): Via {
  const start = p.index;
  p.take();
  const relation = path(p, 'a relation behind `via`');
  const endpoint = p.accept('.') ? anyWord(p, 'an endpoint behind `.`') : null;
  return { relation, endpoint, span: p.spanFrom(start) };
}
