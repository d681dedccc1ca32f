/** Test results in the editor: a mark beside each test, and the failed expectation underlined. */

import type { Diagnostic as LintDiagnostic } from '@codemirror/lint';
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, GutterMarker, gutter } from '@codemirror/view';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { isValidElement } from 'react';
import type { OutlineItem } from '../../../../src-runtime/language/service/index.js';
import { tellFailure } from '../../../domain/failure/tell-failure.js';
import { testsLocation } from '../../../model/facts/locations.js';
import { failureWords, foundText, type TestFailure, valueWords } from '../../../model/facts/test-failures.js';
import { NOT_RUN, type TestTelling, testKey } from '../../../model/facts/test-runs.js';
import { testRuns } from '../../../server-state/tests.js';
import { VerdictGlyph } from '../../../ui/verdict-glyph.js';
import { surroundings } from './editor-context.js';
import { namingOf } from './explain-target.js';

/** Keyed by test key. */
export type TestTellings = ReadonlyMap<string, TestTelling>;

interface TestPlace {
  readonly from: number;
  readonly key: string;
  readonly name: string;
}

export const setTestPlaces = StateEffect.define<readonly TestPlace[]>();
export const setTestTellings = StateEffect.define<TestTellings>();

export function testPlaces(source: string, outline: readonly OutlineItem[]): TestPlace[] {
  const { module } = namingOf(source);
  if (module === undefined) return [];
  return outline
    .filter(({ kind }) => kind === 'test')
    .map(({ name, span }) => ({ from: span.start.offset, key: testKey({ module, name }), name }));
}

/** Positions follow edits until new ones arrive. */
const places = StateField.define<readonly TestPlace[]>({
  create: () => [],
  update(current, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTestPlaces)) return effect.value;
    if (!transaction.docChanged) return current;
    return current.map((place) => ({ ...place, from: transaction.changes.mapPos(place.from) }));
  },
});

const tellings = StateField.define<TestTellings>({
  create: () => new Map(),
  update(current, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTestTellings)) return effect.value;
    return current;
  },
});

class TestMark extends GutterMarker {
  private readonly place: TestPlace;
  private readonly telling: TestTelling;

  constructor(place: TestPlace, telling: TestTelling) {
    super();
    this.place = place;
    this.telling = telling;
  }

  override eq(other: TestMark): boolean {
    const { place, telling } = this;
    return (
      place.key === other.place.key &&
      telling.verdict === other.telling.verdict &&
      telling.words === other.telling.words
    );
  }

  override toDOM(view: EditorView): HTMLElement {
    const { verdict, words } = this.telling;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'test-mark';
    // Not in the tab order, because the keyboard has a command for it.
    button.tabIndex = -1;
    button.title = `${this.place.name}: ${words}. Click to run (Shift+Alt+T at the cursor).`;
    button.append(drawn(<VerdictGlyph verdict={verdict} />));
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => void runTest(view, this.place.key));
    return button;
  }
}

const margin = gutter({
  class: 'cm-test-gutter',
  lineMarker(view, line) {
    const place = view.state.field(places).find(({ from }) => line.from <= from && from <= line.to);
    return place === undefined ? null : new TestMark(place, view.state.field(tellings).get(place.key) ?? NOT_RUN);
  },
  lineMarkerChange: ({ startState, state }) =>
    startState.field(places) !== state.field(places) || startState.field(tellings) !== state.field(tellings),
});

/** Before the line numbers. */
export const testMarks: Extension = [places, tellings, Prec.high(margin)];

/** Runs a test on the server, and announces the result for users who do not see the mark. */
export async function runTest(view: EditorView, key: string): Promise<void> {
  const around = surroundings();
  if (around === undefined) return;
  const { isServed } = around;
  const before = testRuns.get().results[key];
  if (!(await around.runTest(key))) {
    notifications.show({ message: 'The server does not have this test yet. Save the module first.' });
    return;
  }
  const { failure, results } = testRuns.get();
  const result = results[key];
  if (failure !== undefined) tellFailure('The test did not run', failure);
  else if (result !== undefined && result !== before) {
    const words = result.passed ? 'passed' : 'failed';
    if (!isServed) notifications.show({ message: `The saved version of the test ${words}. Your draft did not run.` });
    if (view.dom.isConnected) view.dispatch({ effects: EditorView.announce.of(`The test ${result.name} ${words}.`) });
  }
}

/** Failed expectations as findings: shown on hover, and reached with the keys for findings. */
export function testFindings(told: TestTellings, file: string, length: number): LintDiagnostic[] {
  return [...told].flatMap(([key, { failure }]) => {
    if (failure === undefined || failure.span.file !== file || failure.span.end.offset > length) return [];
    return {
      from: failure.span.start.offset,
      to: failure.span.end.offset,
      severity: 'info',
      markClass: 'cm-test-failed',
      message: foundText(failure),
      renderMessage: () => findingOf(failure),
      actions: [{ name: 'Show in Tests', apply: () => surroundings()?.goTo(testsLocation(key)) }],
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
    ['Found', foundText(failure), false],
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
function drawn(node: ReactNode): Element {
  if (!isValidElement<Readonly<Record<string, unknown>>>(node)) throw new Error('only an element can be drawn');
  const { type, props } = node;
  if (typeof type === 'function') return drawn((type as (given: typeof props) => ReactNode)(props));
  const element = document.createElementNS(SVG, String(type));
  for (const [name, value] of Object.entries(props)) {
    if (name === 'children') element.append(...[value].flat().map((child) => drawn(child as ReactNode)));
    else if (name === 'style') Object.assign(element.style, value);
    else element.setAttribute(attributeOf(name), String(value));
  }
  return element;
}

/** `strokeWidth` → `stroke-width`. `viewBox` keeps its name. */
function attributeOf(name: string): string {
  return name === 'viewBox' ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
