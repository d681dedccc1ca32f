/** The language in the editor: highlighting, comments, brackets, and indentation on Enter, typing and paste. */

import {
  HighlightStyle,
  indentOnInput,
  indentService,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import {
  ChangeSet,
  countColumn,
  EditorState,
  type Extension,
  type Line,
  type Text,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import type { Tag } from '@lezer/highlight';
import { tags } from '@lezer/highlight';
import { indentationOf } from '../../src-runtime/language/format/indentation.js';
import type { HighlightKind, HighlightState } from '../../src-runtime/language/highlight.js';
import { highlightNext, highlightState } from '../../src-runtime/language/highlight.js';

const TAGS: Record<HighlightKind, Tag> = {
  keyword: tags.keyword,
  contextual: tags.controlKeyword,
  type: tags.typeName,
  name: tags.variableName,
  function: tags.function(tags.variableName),
  property: tags.propertyName,
  individual: tags.labelName,
  number: tags.number,
  text: tags.string,
  constant: tags.atom,
  comment: tags.comment,
  documentation: tags.docComment,
  operator: tags.operator,
  punctuation: tags.punctuation,
  invalid: tags.invalid,
};

/** Starts of a line that change its indentation: closing brackets, operators, and words of clauses and items. */
const REINDENTED =
  /^\s*([)\]}]|[-+*<>]|[=!]=|\?\?|(\/|and|or|div|mod|then|else|when|where|order|limit|severity|message|pub)\s)$/;

const stream = StreamLanguage.define<HighlightState>({
  name: 'entail',
  startState: highlightState,
  copyState: (state) => ({ ...state }),
  token: (line, state) => {
    const { kind, end } = highlightNext(line.string, line.pos, state);
    line.pos = Math.max(end, line.pos + 1);
    return kind;
  },
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    indentOnInput: REINDENTED,
  },
  tokenTable: TAGS,
});

const style = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword], color: 'var(--syntax-keyword)' },
  { tag: tags.typeName, color: 'var(--syntax-type)' },
  { tag: tags.string, color: 'var(--syntax-text)' },
  { tag: [tags.number, tags.atom], color: 'var(--syntax-number)' },
  { tag: tags.labelName, color: 'var(--declared)' },
  { tag: tags.comment, color: 'var(--syntax-comment)', fontStyle: 'italic' },
  { tag: tags.docComment, color: 'var(--syntax-doc)' },
  { tag: [tags.operator, tags.punctuation], color: 'var(--text-dim)' },
  { tag: tags.invalid, color: 'var(--blocking)' },
]);

const indentation: Extension = [
  indentUnit.of('  '),
  indentOnInput(),
  indentService.of((context, pos) => {
    // Between two brackets, the closing one moves to a separate line.
    return indentationIn(context.state.doc)(pos, context.textAfterPos(pos) === '');
  }),
  EditorState.transactionFilter.of((transaction) =>
    transaction.isUserEvent('input.paste') ? [transaction, ...reindented(transaction)] : transaction,
  ),
];

const indentations = new WeakMap<Text, ReturnType<typeof indentationOf>>();

/** Cache by text, because a command may request the indentation of each line. */
function indentationIn(doc: Text): ReturnType<typeof indentationOf> {
  const known = indentations.get(doc) ?? indentationOf(doc.toString());
  indentations.set(doc, known);
  return known;
}

/** Moves pasted lines to their place. They keep their indentation relative to each other. */
function reindented({ newDoc, changes }: Transaction): TransactionSpec[] {
  const ranges: { readonly from: number; readonly to: number }[] = [];
  changes.iterChangedRanges((_from, _to, from, to) => ranges.push({ from, to }));
  const [pasted] = ranges;
  if (pasted === undefined || ranges.length > 1) return [];
  const first = newDoc.lineAt(pasted.from);
  const last = newDoc.lineAt(pasted.to);
  const margin = marginOf(newDoc.sliceString(pasted.from, first.to));
  if (first === last && margin === 0) return [];
  const startsLine = newDoc.sliceString(first.from, pasted.from).trim() === '';
  const wanted = indentationIn(newDoc)(startsLine ? first.from : pasted.from);
  // Within a comment or text.
  if (wanted === undefined) return [];
  const edits = startsLine ? [moved(first, wanted)] : [];
  const placed = ChangeSet.of(edits, newDoc.length).apply(newDoc);
  const lines = Array.from({ length: last.number - first.number }, (_, at) => newDoc.line(first.number + 1 + at));
  const places = lines.flatMap((line) => {
    const place = line.text.trim() === '' ? undefined : indentationIn(placed)(placed.line(line.number).from);
    return place === undefined ? [] : [{ line, place }];
  });
  const [second] = places;
  // The first line may have been copied without its margin.
  const shift = margin > 0 ? wanted - margin : second === undefined ? 0 : second.place - marginOf(second.line.text);
  for (const { line, place } of places) {
    const isRest = line.from === pasted.to;
    if (!isRest) edits.push(moved(line, Math.max(0, marginOf(line.text) + shift)));
    else if (pasted.from > first.from) edits.push(moved(line, place));
  }
  return [{ changes: edits, sequential: true }];
}

function moved({ from, text }: Line, indent: number) {
  return { from, to: from + text.length - text.trimStart().length, insert: ' '.repeat(indent) };
}

/** Columns of white space at the start. */
function marginOf(text: string): number {
  return countColumn(text, 4, text.length - text.trimStart().length);
}

/** Highlights by line, so that the cost depends on the visible lines only, not on the length of the file. */
export const entailLanguage: Extension = [stream, syntaxHighlighting(style), indentation];
