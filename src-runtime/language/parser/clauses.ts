/** The pieces that several items share: parameters, refinements, defaults, navigation. */

import type { Expression, Field, HeadParameter, Name, Parameter, Via } from '../ast.js';
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

export function headParameters(p: Cursor): HeadParameter[] {
  return bracketed(p, ['(', ')'], 'before the parameters', () => headParameter(p));
}

/** `name: Type = value`, of which a clause may omit the type and the value. */
export function headParameter(p: Cursor): HeadParameter {
  const start = p.index;
  const doc = p.takeDoc();
  const keeps = keptValue(p);
  const name = declaredName(p, 'the name of a parameter');
  const isBare = p.at(',') || p.at(')') || p.at('=');
  if (!isBare) p.expect(':', ...afterParameter(name));
  const parameterType = isBare ? null : type(p);
  refuseRange(p, BODY_HINT);
  if (p.acceptWord('where')) {
    p.report('E0028', 'parameters of rules cannot have a refinement', expression(p).span, { hint: BODY_HINT });
  }
  const value = defaultValue(p);
  refuseLateClauses(p, `${name.text}: Type = value`);
  return { name, type: parameterType, value, ...keeps, doc, span: p.spanFrom(start) };
}

/** `least` or `greatest` before a name. Anywhere else they are names themselves. */
function keptValue(p: Cursor): Pick<HeadParameter, 'keeps'> {
  const { text } = p.current;
  if ((text !== 'least' && text !== 'greatest') || p.peek(1).kind !== 'word') return {};
  return { keeps: { value: text, span: p.tokenSpan(p.take()) } };
}

const BODY_HINT = 'Remove it, and write the condition in the body.';

function afterParameter({ text }: Name): [string, string] {
  return ['after the name of a parameter', `Every parameter needs a type: write \`${text}: Type\`.`];
}

function parameter(p: Cursor): Parameter {
  const start = p.index;
  const doc = p.takeDoc();
  const name = declaredName(p, 'the name of a parameter');
  p.expect(':', ...afterParameter(name));
  const parameterType = type(p);
  refuseRange(p);
  const refinement = p.acceptWord('where') ? expression(p) : null;
  const fallback = defaultValue(p);
  refuseLateClauses(p, `${name.text}: Type where … = default`);
  return { name, type: parameterType, refinement, default: fallback, doc, span: p.spanFrom(start) };
}

/** Refuses clauses of fields after the type of an endpoint. */
export function refuseFieldClauses(p: Cursor): void {
  const start = p.index;
  const isUnique = p.acceptWord('unique');
  const uniqueSpan = p.spanFrom(start);
  const refinement = p.acceptWord('where') ? expression(p) : null;
  const surplus = refinement ?? defaultValue(p);
  if (surplus === null && !isUnique) return;
  const hint = 'Remove it, and constrain the tuples with a check.';
  p.report('E0028', 'an endpoint cannot have `unique`, a refinement or a default', surplus?.span ?? uniqueSpan, {
    hint,
  });
}

/** `Int [0..100]`, `Text(30)` and `Int >= 0` of other languages. */
function refuseRange(
  p: Cursor,
  hint = 'Write a refinement, such as `where value >= 0 and value <= 100` or `where length(value) <= 100`.',
): void {
  const isRange = p.current.kind === 'int' || ((p.at('[') || p.at('(')) && p.peek(1).kind === 'int');
  if (!isRange && !(p.current.kind === 'punctuation' && /^[<>]=?$/.test(p.current.text))) return;
  p.fail('E0010', `unexpected ${p.found()} after the type`, { hint });
}

/** Clauses in the wrong order are parsed too, so that they give one finding. */
function refuseLateClauses(p: Cursor, order: string): void {
  const start = p.index;
  const isUnique = p.acceptWord('unique');
  const isRefined = p.acceptWord('where');
  if (!isUnique && !isRefined) return;
  if (isRefined) expression(p);
  const late = isRefined ? 'where' : 'unique';
  p.report('E0028', `\`${late}\` is in the wrong place`, p.spanFrom(start), {
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
  p.expect(':', 'after the name of a field', foreign ?? 'Every field needs a type: write `name: Type`.');
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
    const hint = 'Constrain the relation instead.';
    p.report('E0028', 'a navigation field cannot have `unique`, a refinement or a default', span, { hint });
  }
  return { name, type: fieldType, unique: false, refinement: null, default: null, via, doc, span };
}

function navigation(p: Cursor): Via {
  const start = p.index;
  p.take();
  const relation = path(p, 'a relation after `via`');
  const endpoint = p.accept('.') ? anyWord(p, 'an endpoint after `.`') : null;
  return { relation, endpoint, span: p.spanFrom(start) };
}
