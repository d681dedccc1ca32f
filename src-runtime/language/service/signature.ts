/** The parameters of the call, literal, insert or aggregate at the cursor, and the one that is being written. */

import type { Analysis } from '../analyse.js';
import type { DeclaredSymbol } from '../check/index.js';
import { BUILT_INS } from '../check/program/built-ins.js';
import { fieldsOf } from '../check/program/symbols.js';
import { typeText } from '../check/program/types.js';
import { AGGREGATES } from '../parser/aggregates.js';
import { resolveName } from './completion/names.js';
import { commasBetween, parametersOf } from './completion/scope.js';
import type { Site } from './completion/site.js';
import { pathBefore, siteAt } from './completion/site.js';
import {
  builtInDoc,
  builtInSignature,
  detailOf,
  docOf,
  endpointWritten,
  parameterTexts,
  resultText,
} from './describe.js';
import type { SignatureHelp } from './types.js';

interface Described {
  readonly opening: string;
  readonly parameters: readonly { readonly name: string; readonly text: string; readonly doc: string | null }[];
  readonly closing: string;
  readonly doc: string | null;
}

/** Null outside the brackets of a call, and in a call of an unknown name. */
export function signatureAt(analysis: Analysis, file: string, offset: number): SignatureHelp | null {
  const site = siteAt(analysis, file, offset);
  if (site === null) return null;
  const bracket = site.open.findLast(({ role }) => role === 'call' || role === 'entries');
  // Between the call's bracket and the cursor only values nest, never a block.
  if (bracket === undefined || site.open.some(({ index, role }) => index > bracket.index && role === 'block'))
    return null;
  const callee = pathBefore(site.before, bracket.index);
  const described = callee === undefined ? undefined : describe(site, callee.text, bracket.index);
  return described === undefined ? null : helpOf(described, activeAt(site, described, bracket.index));
}

function helpOf({ opening, parameters, closing, doc }: Described, active: number | null): SignatureHelp {
  let label = opening;
  const places = parameters.map((parameter, i) => {
    if (i > 0) label += ', ';
    const from = label.length;
    label += parameter.text;
    return { from, to: label.length, doc: parameter.doc };
  });
  return { label: label + closing, doc, parameters: places, active };
}

/** By name if the argument at the cursor has one, otherwise by position; null after the last one. */
function activeAt(site: Site, described: Described, opening: number): number | null {
  const { before } = site;
  const inside = site.open.find(({ index }) => index > opening)?.index ?? before.length;
  for (let at = inside - 1; at > opening; at -= 1) {
    if (before[at]?.text === ',') break;
    if (before[at]?.text !== ':' || before[at - 1]?.kind !== 'word') continue;
    const named = described.parameters.findIndex(({ name }) => name === before[at - 1]?.text);
    return named < 0 ? null : named;
  }
  const position = commasBetween(before, opening, before.length);
  return position < described.parameters.length ? position : null;
}

function describe(site: Site, callee: string, opening: number): Described | undefined {
  const symbol = resolveName(site.names, site.module, callee);
  const isAggregate = site.item.some((token, i) => i > opening && token.text === 'for');
  const name = callee.replace(/^std::/, '');
  if (AGGREGATES.has(name) && (isAggregate || !BUILT_INS.has(name)) && symbol === undefined) return aggregate(name);
  return symbol === undefined ? builtIn(name) : declared(site, symbol);
}

function aggregate(name: string): Described {
  const text = name === 'count' ? 'for v where BODY' : 'EXPR for v where BODY';
  const doc = 'Over the distinct bindings of the variables after `for`, which are new names.';
  return { opening: `${name}(`, parameters: [{ name: '', text, doc: null }], closing: ')', doc };
}

function builtIn(name: string): Described | undefined {
  const label = builtInSignature('function', name).split('\n')[0] ?? '';
  const parts = /^(\w+\()(.*)(\).*)$/.exec(label);
  if (parts === null) return undefined;
  const [, opening = '', inside = '', closing = ''] = parts;
  const parameters = inside.split(', ').map((text) => ({ name: text.split(':')[0] ?? text, text, doc: null }));
  return { opening, parameters, closing, doc: builtInDoc(name) };
}

function declared(site: Site, symbol: DeclaredSymbol): Described | undefined {
  const { analysis } = site;
  const doc = docOf(analysis, symbol);
  const shared = { doc, opening: `${symbol.name}(`, closing: ')' };
  switch (symbol.kind) {
    case 'relation':
    case 'derive':
      return { ...shared, parameters: symbol.endpoints.map((each) => ({ ...each, text: endpointWritten(each) })) };
    case 'query':
    case 'mutation':
    case 'fn': {
      const texts = parameterTexts(analysis, symbol);
      const parameters = symbol.parameters.map((each, i) => ({ ...each, text: texts[i] ?? each.name }));
      return { ...shared, parameters, closing: `)${resultText(symbol)}` };
    }
    case 'concept':
      return site.open[site.open.length - 1]?.role === 'entries' ? inserted(symbol, doc) : classLiteral(symbol, doc);
    case 'define':
      return classLiteral(symbol, doc);
    case 'check': {
      const texts = detailOf(analysis, symbol)?.slice(1, -1).split(', ') ?? [];
      const parameters = parametersOf(symbol).map((each, i) => ({ ...each, text: texts[i] ?? each.name }));
      return { ...shared, parameters };
    }
    default:
      return undefined;
  }
}

function classLiteral(symbol: DeclaredSymbol, doc: string | null): Described {
  const [only] = parametersOf(symbol);
  const text = only?.name === '' || only === undefined ? symbol.name.charAt(0).toLowerCase() : only.name;
  return {
    opening: `${symbol.name}(`,
    parameters: [{ name: only?.name ?? '', text, doc: only?.doc ?? null }],
    closing: ')',
    doc,
  };
}

function inserted(symbol: DeclaredSymbol & { kind: 'concept' }, doc: string | null): Described {
  const stored = fieldsOf(symbol).filter(({ via }) => via === null);
  const parameters = stored.map(({ name, type, doc: ofField }) => ({
    name,
    text: `${name}: ${typeText(type)}`,
    doc: ofField,
  }));
  return { opening: `${symbol.name} { `, parameters, closing: ' }', doc };
}
