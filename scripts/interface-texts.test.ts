/** The texts of the interface use plain words: checks what the components and models show, in short sentences. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { oddWordsInInterface } from './plain-words.js';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src-renderer'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file));

/** Attributes whose strings are no text. */
const NO_TEXT = new Set(['className', 'classNames', 'id', 'key', 'role', 'type', 'style', 'to', 'variant']);

const WORDS_MAX = 20;

describe('the texts of the interface', () => {
  const texts = files.flatMap(textsOf);

  it('are found', () => {
    expect(texts.map(({ text }) => text)).toContain('No matches');
  });

  it('use plain words', () => {
    const odd = texts.flatMap(({ text, place }) =>
      oddWordsInInterface(text).map((word) => `${place} ${word}: ${text}`),
    );
    expect(odd).toEqual([]);
  });

  it('have short sentences', () => {
    const long = texts.flatMap(({ text, place }) =>
      sentencesOf(text)
        .filter(isLong)
        .map((each) => `${place} ${each}`),
    );
    expect(long).toEqual([]);
  });
});

function sentencesOf(text: string): string[] {
  return text.split(/[.;:?!](?:\s|$)/);
}

function isLong(sentence: string): boolean {
  return sentence.split(/\s+/).filter((word) => /^\p{L}[\p{L}’'-]*,?$/u.test(word)).length > WORDS_MAX;
}

interface Text {
  readonly text: string;
  /** File and line. */
  readonly place: string;
}

/** JSX text, and strings of several words: names, keys and paths are single words, and selectors begin with a dot. */
function textsOf(file: string): Text[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isList(node)) return;
    if (ts.isJsxAttribute(node) && NO_TEXT.has(node.name.getText())) return;
    const text = textOf(node);
    if (text !== undefined && (ts.isJsxText(node) || /^[^.].*\w\s+\w/s.test(text))) {
      texts.push({ text: text.trim().replace(/\s+/g, ' '), place: `${file}:${lineOf(node)}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  }
  return ts.isStringLiteralLike(node) || ts.isJsxText(node) ? node.text : undefined;
}

/** `'a b c'.split(' ')` is data. */
function isList(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'split' &&
    ts.isStringLiteralLike(node.expression.expression)
  );
}
