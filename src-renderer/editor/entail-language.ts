/** The language's own colours in CodeMirror, a line at a time, so that the longest file costs what is in view. */

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Tag, tags } from '@lezer/highlight';
import {
  type HighlightKind,
  type HighlightState,
  highlightNext,
  highlightState,
} from '../../src-runtime/language/highlight.js';

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
    indentOnInput: /^\s*\}$/,
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

export const entailLanguage = [stream, syntaxHighlighting(style)];
