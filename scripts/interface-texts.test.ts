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

  it('name the command line only where the page asks for its host', () => {
    const commands = texts.filter(({ text }) => /\bentail serve\b|(?<![\w-])--(data|token|memory)\b/.test(text));
    expect(commands.length).toBeGreaterThan(4);
    expect(commands.filter(({ isForHost }) => !isForHost).map(({ place }) => place)).toEqual([]);
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
  /** It is shown by a condition on the host or on what the server lets a client open. */
  readonly isForHost: boolean;
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
      texts.push({
        text: text.trim().replace(/\s+/g, ' '),
        place: `${file}:${lineOf(node)}`,
        isForHost: isForHost(node),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** A condition around the node, or of an earlier return, names the host. */
function isForHost(node: ts.Node): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (conditionsOf(at).some((condition) => HOST.test(condition.getText()))) return true;
  }
  return false;
}

const HOST = /\b(host\.|isDesktop|mayOpen|canOpen|opensPaths)/;

function conditionsOf(node: ts.Node): readonly ts.Node[] {
  const { parent } = node;
  if (ts.isConditionalExpression(parent) && node !== parent.condition) return [parent.condition];
  if (ts.isBinaryExpression(parent) && node === parent.right) return [parent.left];
  if (ts.isIfStatement(parent) && node !== parent.expression) return [parent.expression];
  if (!ts.isBlock(parent)) return [];
  const earlier = parent.statements.filter((statement) => statement.pos < node.pos);
  return earlier.filter(ts.isIfStatement).map(({ expression }) => expression);
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
