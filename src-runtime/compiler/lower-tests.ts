/** Lowers checked `test` blocks to plain data for a test runner. They are not part of the artifact. */

import type * as ir from '../artifact/index.js';
import type { Span } from '../base/span.js';
import type { CheckedProgram, CheckedTest, TestStep } from '../language/check/index.js';
import { lowerCondition } from './lower-conditions.js';
import { lowerExpression } from './lower-expressions.js';
import { type LoweredChoice, type LoweredLoop, lowerBlock, lowerChoice, lowerLoop } from './lower-statements.js';
import type { Lowering } from './lowering.js';
import { sourceText } from './lowering.js';
import type { Source } from './sources.js';

export interface ModuleTest {
  readonly module: string;
  readonly name: string;
  readonly span: Span;
  readonly steps: readonly ModuleTestStep[];
}

/** `text` is the step's source on one line. */
export type ModuleTestStep = { readonly text: string; readonly span: Span } & (
  | { readonly op: 'statement'; readonly statement: ir.Statement }
  | { readonly op: 'expect'; readonly condition: ir.Condition }
  | { readonly op: 'expectError'; readonly code: string; readonly call: ir.Statement }
  | { readonly op: 'setContext'; readonly field: string; readonly value: ir.Expression }
  | LoweredLoop<ModuleTestStep>
  | LoweredChoice<ModuleTestStep>
);

export function lowerTests(program: CheckedProgram, sources: readonly Source[]): ModuleTest[] {
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  return program.tests.map((test) => lowerTest({ texts, fresh: 0 }, test));
}

function lowerTest(lowering: Lowering, { module, name, span, steps }: CheckedTest): ModuleTest {
  return { module, name, span, steps: lowerSteps(lowering, steps) };
}

function lowerSteps(lowering: Lowering, steps: readonly TestStep[]): ModuleTestStep[] {
  return steps.flatMap((step) => lowerStep(lowering, step));
}

function lowerStep(lowering: Lowering, step: TestStep): ModuleTestStep[] {
  const { span } = step.kind === 'statement' ? step.statement : step;
  const place = { text: sourceText(lowering, span), span };
  switch (step.kind) {
    case 'statement':
      return lowerBlock(lowering, [step.statement]).map((statement) => ({ ...place, op: 'statement', statement }));
    case 'expect':
      return [{ ...place, op: 'expect', condition: lowerCondition(lowering, step.condition) }];
    case 'expectError':
      return lowerBlock(lowering, [step.call]).map((call) => ({ ...place, op: 'expectError', code: step.code, call }));
    case 'setContext':
      return [{ ...place, op: 'setContext', field: step.field, value: lowerExpression(lowering, step.value) }];
    case 'for':
      return [{ ...place, ...lowerLoop(lowering, step, (body) => lowerSteps(lowering, body)) }];
    case 'if':
      return [{ ...place, ...lowerChoice(lowering, step, (body) => lowerSteps(lowering, body)) }];
  }
}
