/** Test results in the editor: a mark beside each test, and the failed expectation underlined. */

import type { Diagnostic as LintDiagnostic } from '@codemirror/lint';
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, GutterMarker, gutter } from '@codemirror/view';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { isValidElement } from 'react';
import type { OutlineItem } from '../../../../src-runtime/language/service/index.js';
import { notifyFailure } from '../../../domain/failure/notify-failure.js';
import { testsLocation } from '../../../model/facts/locations.js';
import { failureWords, foundText, type TestFailure, valueWords } from '../../../model/facts/test-failures.js';
import { NOT_RUN, type TestStatus, testKey } from '../../../model/facts/test-runs.js';
import { testRuns } from '../../../server-state/tests.js';
import { VerdictGlyph } from '../../../ui/verdict-glyph.js';
import { editorContext } from './editor-context.js';
import { namingOf } from './explain-target.js';

/** Keyed by test key. */
export type TestResults = ReadonlyMap<string, TestStatus>;

interface TestPosition {
  readonly from: number;
  readonly key: string;
  readonly name: string;
}

export const setTestPositions = StateEffect.define<readonly TestPosition[]>();
export const setTestResults = StateEffect.define<TestResults>();

export function testPositions(source: string, outline: readonly OutlineItem[]): TestPosition[] {
  const { module } = namingOf(source);
  if (module === undefined) return [];
  return outline
    .filter(({ kind }) => kind === 'test')
    .map(({ name, span }) => ({ from: span.start.offset, key: testKey({ module, name }), name }));
}

/** Positions follow edits until new ones arrive. */
const positions = StateField.define<readonly TestPosition[]>({
  create: () => [],
  update(current, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTestPositions)) return effect.value;
    if (!transaction.docChanged) return current;
    return current.map((position) => ({ ...position, from: transaction.changes.mapPos(position.from) }));
  },
});

const results = StateField.define<TestResults>({
  create: () => new Map(),
  update(current, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTestResults)) return effect.value;
    return current;
  },
});

class TestMark extends GutterMarker {
  private readonly position: TestPosition;
  private readonly result: TestStatus;

  constructor(position: TestPosition, result: TestStatus) {
    super();
    this.position = position;
    this.result = result;
  }

  override eq(other: TestMark): boolean {
    const { position, result } = this;
    return (
      position.key === other.position.key &&
      result.verdict === other.result.verdict &&
      result.words === other.result.words
    );
  }

  override toDOM(view: EditorView): HTMLElement {
    const { verdict, words } = this.result;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'test-mark';
    // Not in the tab order, because the keyboard has a command for it.
    button.tabIndex = -1;
    button.title = `${this.position.name}: ${words}. Click to run (Shift+Alt+T at the cursor).`;
    button.append(renderSvg(<VerdictGlyph verdict={verdict} />));
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => void runTest(view, this.position.key));
    return button;
  }
}

const testGutter = gutter({
  class: 'cm-test-gutter',
  lineMarker(view, line) {
    const position = view.state.field(positions).find(({ from }) => line.from <= from && from <= line.to);
    return position === undefined
      ? null
      : new TestMark(position, view.state.field(results).get(position.key) ?? NOT_RUN);
  },
  lineMarkerChange: ({ startState, state }) =>
    startState.field(positions) !== state.field(positions) || startState.field(results) !== state.field(results),
});

/** Before the line numbers. */
export const testMarks: Extension = [positions, results, Prec.high(testGutter)];

/** Runs a test on the server, and announces the result for users who do not see the mark. */
export async function runTest(view: EditorView, key: string): Promise<void> {
  const context = editorContext();
  if (context === undefined) return;
  const { isServed } = context;
  const before = testRuns.get().results[key];
  if (!(await context.runTest(key))) {
    notifications.show({ message: 'The server does not have this test yet. Save the module first.' });
    return;
  }
  const { failure, results } = testRuns.get();
  const result = results[key];
  if (failure !== undefined) notifyFailure('The test did not run', failure);
  else if (result !== undefined && result !== before) {
    const words = result.passed ? 'passed' : 'failed';
    if (!isServed) notifications.show({ message: `The saved version of the test ${words}. Your draft did not run.` });
    if (view.dom.isConnected) view.dispatch({ effects: EditorView.announce.of(`The test ${result.name} ${words}.`) });
  }
}

/** Failed expectations as findings: shown on hover, and reached with the keys for findings. */
export function testFindings(results: TestResults, file: string, length: number): LintDiagnostic[] {
  return [...results].flatMap(([key, { failure }]) => {
    if (failure === undefined || failure.span.file !== file || failure.span.end.offset > length) return [];
    return {
      from: failure.span.start.offset,
      to: failure.span.end.offset,
      severity: 'info',
      markClass: 'cm-test-failed',
      message: foundText(failure),
      renderMessage: () => findingOf(failure),
      actions: [{ name: 'Show in Tests', apply: () => editorContext()?.goTo(testsLocation(key)) }],
    };
  });
}

function findingOf(failure: TestFailure): HTMLElement {
  const { wanted, statement } = failureWords(failure);
  const list = document.createElement('dl');
  list.className = 'test-finding';
  const where = valueWords(failure);
  for (const [term, words, isCode] of [
    [wanted, statement, true],
    ['Actual', foundText(failure), false],
    ...(where.length === 0 ? [] : ([['Where', where.join(', '), true]] as const)),
  ] as const) {
    const name = document.createElement('dt');
    name.textContent = term;
    const value = document.createElement('dd');
    value.textContent = words;
    if (isCode) value.className = 'mono';
    list.append(name, value);
  }
  return list;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Renders an SVG of plain elements and of components without hooks to DOM. */
function renderSvg(node: ReactNode): Element {
  if (!isValidElement<Readonly<Record<string, unknown>>>(node)) throw new Error('Only elements can be rendered.');
  const { type, props } = node;
  if (typeof type === 'function') return renderSvg((type as (given: typeof props) => ReactNode)(props));
  const element = document.createElementNS(SVG, String(type));
  for (const [name, value] of Object.entries(props)) {
    if (name === 'children') element.append(...[value].flat().map((child) => renderSvg(child as ReactNode)));
    else if (name === 'style') Object.assign(element.style, value);
    else element.setAttribute(attributeOf(name), String(value));
  }
  return element;
}

/** `strokeWidth` → `stroke-width`. `viewBox` keeps its name. */
function attributeOf(name: string): string {
  return name === 'viewBox' ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
