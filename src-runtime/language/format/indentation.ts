/** Indentation of a line while it is typed: what the formatter would give it, also in unfinished text. */

import { highlightNext, highlightState } from '../highlight.js';

const STEP = 2;

/**
 * Gives the indentation of the line that begins at an offset, or that a line break there would begin. Undefined inside
 * a text or block comment, which the formatter does not change. `isAlone` if the rest of the line goes elsewhere.
 */
export function indentationOf(text: string): (offset: number, isAlone?: boolean) => number | undefined {
  const { tokens, unbroken } = scan(text);
  return (offset, isAlone = false) => {
    if (unbroken.some(({ from, to }) => from < offset && offset < to)) return undefined;
    const at = tokens.findLastIndex(({ start }) => start < offset) + 1;
    const next = tokens[at];
    const isOnLine = next !== undefined && !text.slice(offset, next.start).includes('\n');
    return indentAfter(tokens.slice(0, at), isOnLine && !isAlone ? next : undefined, tokens[at + 1]);
  };
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly isFirst: boolean;
  /** Of its line. */
  readonly indent: number;
}

interface Scanned {
  /** Without comments. */
  readonly tokens: readonly Token[];
  /** Texts and block comments. */
  readonly unbroken: readonly { readonly from: number; readonly to: number }[];
}

function scan(text: string): Scanned {
  const tokens: Token[] = [];
  const unbroken: { from: number; to: number }[] = [];
  const state = highlightState();
  let lineStart = 0;
  let commentStart: number | undefined;
  for (const line of text.split('\n')) {
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    let isFirst = true;
    for (let at = 0; at < line.length; ) {
      if (line.startsWith('/*', at)) commentStart ??= lineStart + at;
      const { kind, end } = highlightNext(line, at, state);
      const [from, to] = [lineStart + at, lineStart + Math.max(end, at + 1)];
      if (kind === 'comment') {
        if (commentStart !== undefined && !state.inBlockComment) unbroken.push({ from: commentStart, to });
      } else if (kind !== null && kind !== 'documentation') {
        if (kind === 'text') unbroken.push({ from, to });
        tokens.push({ text: line.slice(at, end), start: from, isFirst, indent });
        isFirst = false;
      }
      if (!state.inBlockComment) commentStart = undefined;
      at = to - lineStart;
    }
    lineStart += line.length + 1;
  }
  if (commentStart !== undefined) unbroken.push({ from: commentStart, to: text.length + 1 });
  return { tokens, unbroken };
}

/** An open bracket, or the item around all brackets. */
interface Frame {
  readonly open: Token | undefined;
  /** Outside inner brackets, which are here with both ends. */
  readonly tokens: Token[];
  /** First token of the current item, clause, statement, field or argument. */
  element: Token | undefined;
  /** First token of the conditions that commas separate. `'next'` after the word before them. */
  body: Token | 'next' | undefined;
}

/** `next` is the first token of the line, if known, and `second` the one after it. */
function indentAfter(before: readonly Token[], next: Token | undefined, second: Token | undefined): number {
  const frame = innermost(before);
  const { open, tokens, element, body } = frame;
  if (element === undefined && open === undefined) return 0;
  if (next?.text === 'pub') return 0;
  const outer = open?.indent ?? 0;
  if (next !== undefined && PARTNERS.has(next.text)) return outer;
  if (element === undefined) return outer + STEP;
  if (tokens.at(-1)?.text === ',') {
    if (body === undefined || body === 'next') return outer + STEP;
    return body.isFirst ? body.indent : body.indent + STEP;
  }
  const isAfterOperand = isOperandEnd(frame);
  if (isAfterOperand && (next === undefined || !continues(next, second))) {
    if (open === undefined) return isComplete(frame) || (next !== undefined && startsItem(next, second)) ? 0 : STEP;
    return isUnfinishedRequire(frame) ? element.indent + STEP : outer + STEP;
  }
  if (next !== undefined && isClause(frame, next)) return outer + STEP;
  if (next?.text === 'else' && element.text === 'if' && open?.text === '{') return element.indent;
  if (next?.text === '{' && isAfterOperand) return element.indent;
  return (chainStart(frame, next) ?? element).indent + STEP;
}

/** The frame that is open after these tokens. An item at the start of a line closes all brackets before it. */
function innermost(tokens: readonly Token[]): Frame {
  const from = tokens.findLastIndex(
    (token, index) => token.isFirst && token.indent === 0 && startsItem(token, tokens[index + 1]),
  );
  const frames = [frameOf(undefined)];
  for (let index = Math.max(from, 0); index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    const partner = PARTNERS.get(token.text);
    const opened = frames.findLastIndex(({ open }) => open !== undefined && open.text === partner);
    if (opened >= 0) frames.length = opened;
    const frame = frames.at(-1) as Frame;
    if (partner === undefined) extend(frame, token, tokens[index + 1]);
    else frame.tokens.push(token);
    if (OPENING.has(token.text)) frames.push(frameOf(token));
  }
  return frames.at(-1) as Frame;
}

function frameOf(open: Token | undefined): Frame {
  return { open, tokens: [], element: undefined, body: undefined };
}

function extend(frame: Frame, token: Token, second: Token | undefined): void {
  const { tokens, body } = frame;
  const previous = tokens.at(-1)?.text;
  if (previous === undefined || startsElement(frame, token, second)) {
    frame.element = token;
    frame.body = CONDITIONAL.has(token.text) ? 'next' : undefined;
  } else if (token.text === 'where' && tokens.some(({ text }) => text === 'for')) frame.body = 'next';
  else if (token.text === 'if' && previous === 'else' && frame.element?.text === 'if') frame.body = 'next';
  else if (token.text === 'message') frame.body = undefined;
  else if (body === 'next') frame.body = token;
  tokens.push(token);
}

function startsElement(frame: Frame, token: Token, second: Token | undefined): boolean {
  if (frame.tokens.at(-1)?.text === ',') return frame.body === undefined;
  if (isClause(frame, token)) return true;
  if (!isOperandEnd(frame) || continues(token, second)) return false;
  return frame.open?.text === '{' || (frame.open === undefined && startsItem(token, second));
}

function isClause({ open, tokens }: Frame, { text }: Token): boolean {
  if (open === undefined) return /^(when|severity|message)$/.test(text);
  return tokens[0]?.text === 'select' && /^(where|order|limit)$/.test(text);
}

/** Before conditions: as a clause, or as the first word of a statement. */
const CONDITIONAL = wordSet('when where if expect require');

function startsItem({ text }: Token, second: Token | undefined): boolean {
  return text === 'pub' || (ITEMS.has(text) && (second === undefined || /^["\w]/.test(second.text)));
}

const ITEMS = wordSet(
  'module use enum concept relation individual fact derive define check context query mutation fn extern test',
);

/** Whether the item needs nothing more. */
function isComplete({ tokens }: Frame): boolean {
  const [first, second] = tokens;
  const required = REQUIRED[(first?.text === 'pub' ? second : first)?.text ?? ''] ?? [];
  return required.every((part) => tokens.some(({ text }) => text === part));
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  derive: ['when'],
  define: ['when'],
  check: ['when', 'severity', 'message'],
  fn: ['='],
  query: ['{'],
  mutation: ['{'],
  test: ['{'],
  enum: ['{'],
};

function isUnfinishedRequire({ tokens, element }: Frame): boolean {
  if (element?.text !== 'require') return false;
  return !tokens.slice(tokens.lastIndexOf(element)).some(({ text }) => text === 'message');
}

/** Whether an expression, type or name can end with the last token. */
function isOperandEnd({ tokens }: Frame, at = tokens.length - 1): boolean {
  const text = tokens[at]?.text ?? ',';
  if (/^["@\w]/.test(text))
    return tokens[at - 1]?.text === '.' || !(PREFIXES.has(text) || (text === 'value' && at === 0));
  return PARTNERS.has(text) || text === '?';
}

const PREFIXES = wordSet(
  'let set delete forget return require expect insert if for in not and or div mod then else when where match select ' +
    'by via from limit message is',
);

/** Whether a token continues the text before it. A word before `:` never does. */
function continues({ text }: Token, second: Token | undefined): boolean {
  return /^\w/.test(text) ? CONTINUATIONS.has(text) && second?.text !== ':' : /^[^"@]/.test(text);
}

const CONTINUATIONS = wordSet(
  'and or div mod then else where order limit when severity message from via is unique in by asc desc',
);

/** The first token of the chain of operands that an operator or `then` or `else` continues. */
function chainStart(frame: Frame, next: Token | undefined): Token | undefined {
  const { tokens, element } = frame;
  const precedence = PRECEDENCE.get(next?.text ?? '');
  if (next === undefined || precedence === undefined) return undefined;
  let start: Token | undefined;
  let nested = 0;
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const token = tokens[at] as Token;
    const { text } = token;
    const isConditional = precedence === CONDITIONAL_PRECEDENCE;
    if (isConditional && text === 'if' && nested === 0) return token;
    if (isConditional && text === next.text) nested += 1;
    else if (isConditional && text === 'if') nested -= 1;
    else if (!isConditional && isDelimiter(frame, at, precedence)) return start;
    start = token;
    if (token === element) break;
  }
  return start;
}

const CONDITIONAL_PRECEDENCE = 0;

const PRECEDENCE = new Map(
  ['then else', 'or', 'and', 'not', '== != < <= > >=', '??', '++', '+ -', '* / div mod'].flatMap((operators, level) =>
    operators.split(' ').map((operator) => [operator, level] as const),
  ),
);

/** Whether the operands of an operator of this precedence begin after the token. */
function isDelimiter({ tokens }: Frame, at: number, precedence: number): boolean {
  const text = tokens[at]?.text ?? '';
  const own = PRECEDENCE.get(text);
  const isUnary = text === '-' && !isOperandEnd({ tokens } as Frame, at - 1);
  if (own !== undefined) return !isUnary && own < precedence;
  if (tokens[at - 1]?.text === '.') return false;
  return DELIMITERS.has(text) || (text === 'value' && at === 0);
}

const DELIMITERS = new Set([
  ...[',', '=', '->', '=>', ':'],
  ...wordSet('when where select let in if for return message require expect limit by set delete forget'),
]);

const PARTNERS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
const OPENING: ReadonlySet<string> = new Set(PARTNERS.values());

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
