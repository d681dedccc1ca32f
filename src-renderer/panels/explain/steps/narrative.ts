/** A proof as plain sentences: each conclusion with its reasons, before the reasons of those. */

import { takenText } from '../../../../src-runtime/base/aggregation-words.js';
import type { Step, StepKind } from '../../../domain/proof/proof-outline.js';
import { type Naming, stepText } from './step-text.js';

export interface NarrativeSentence {
  /** The step of the sentence. */
  readonly step: Step;
  readonly text: string;
}

/** One sentence for each step with reasons. Declared and stored facts are part of the sentence of their conclusion. */
export function narrative(roots: readonly Step[], naming: Naming): readonly NarrativeSentence[] {
  const sentences: NarrativeSentence[] = [];
  // Breadth first, so that all reasons of a conclusion come before their own reasons.
  const steps = [...roots];
  for (const step of steps) {
    const text = sentenceOf(step, naming);
    if (text !== undefined) sentences.push({ step, text });
    for (const child of reasonsOf(step)) if (child.children.length > 0) steps.push(child);
  }
  return sentences;
}

export function narrativeText(roots: readonly Step[], naming: Naming): string {
  return `${narrative(roots, naming)
    .map(({ text }) => text)
    .join('\n')}\n`;
}

/** Undefined if the children of the step say everything. */
function sentenceOf(step: Step, naming: Naming): string | undefined {
  const { kind, children, cut } = step;
  const said = reasonsOf(step);
  const reasons = said.map((child) => reasonOf(child, naming));
  if (said.length < children.length) reasons.push(`${(children.length - said.length).toLocaleString('en')} more`);
  const rest = cut ? ' The rest is omitted.' : '';
  switch (kind) {
    case 'derived':
    case 'aggregate':
    case 'contribution':
      if (step.aggregation !== undefined)
        return `${sentence(aggregateText(step, step.aggregation, naming, reasons))}${rest}`;
      return `${sentence(`${stepText(step, naming)}${because(reasons)}`)}${rest}`;
    case 'whyNot':
      return sentence(
        `it is not true that ${stepText(step, naming)}${children.length === 0 ? ', and no rule can derive it' : closestText(children, naming)}`,
      );
    case 'clause': {
      const before = children.filter(({ kind }) => !LATER_PREMISES.has(kind)).map((child) => reasonOf(child, naming));
      const after = children.filter(({ kind }) => LATER_PREMISES.has(kind)).map((child) => reasonOf(child, naming));
      const more = after.length === 0 ? '' : ` ${sentence(`also, ${joined(after, 'and')}`)}`;
      return `${sentence(`by ${stepText(step, naming)}: ${joined(before, 'but')}`)}${more}${rest}`;
    }
    case 'missing':
    case 'fails':
    case 'missingToo':
    case 'failsToo':
    case 'open':
    // The sentence of a comparison includes its values.
    case 'test':
      return undefined;
    default:
      return sentence(reasonOf(step, naming));
  }
}

/** Nobody listens to more contributions. */
const CONTRIBUTIONS_MAX = 12;

function reasonsOf({ aggregation, children }: Step): readonly Step[] {
  return aggregation === undefined ? children : children.slice(0, CONTRIBUTIONS_MAX);
}

function aggregateText(
  step: Step,
  aggregation: Parameters<typeof takenText>[0],
  naming: Naming,
  reasons: readonly string[],
): string {
  const from = reasons.length === 0 ? '' : `: ${joined(reasons, 'and')}`;
  return `${stepText(step, naming)}, taken from ${takenText(aggregation)}${from}`;
}

function closestText(clauses: readonly Step[], naming: Naming): string {
  const nearest = clauses.find(({ reach }) => reach?.isNearest);
  return nearest === undefined ? '' : `; the closest is ${stepText(nearest, naming)}`;
}

function because(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : `, because ${joined(reasons, 'and')}`;
}

/** The step as a reason of another. */
function reasonOf(step: Step, naming: Naming): string {
  const text = stepText(step, naming);
  switch (step.kind) {
    case 'declared':
      return `${text} (declared)`;
    case 'stored':
      return `${text} (stored)`;
    case 'missing':
    case 'missingToo':
      // Such a sentence says already that the fact is absent.
      return text.startsWith('no ') ? text : `nothing says that ${text}`;
    case 'open':
      return `${text} could not be tested`;
    default:
      return text;
  }
}

const LATER_PREMISES: ReadonlySet<StepKind> = new Set(['missingToo', 'failsToo', 'open']);

/** `a; b; and c`, because facts contain commas. */
function joined(parts: readonly string[], word: string): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join('; ')}; ${word} ${last}`;
}

/** Text that starts with source keeps its case. */
const SOURCE = /^\w+(?: = |[(.])/;

function sentence(text: string): string {
  if (SOURCE.test(text)) return `${text}.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
