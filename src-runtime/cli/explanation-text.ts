/** Prints explanations as indented lines for a terminal. */

import { nodesOf, premisesTaken } from '../api/proof-nodes.js';
import type {
  Aggregation,
  Contribution,
  Explanation,
  FailingPremise,
  ProofNode,
  ProofPremise,
  Suggestions,
  WhyNot,
} from '../api/schemas/explanation-schemas.js';
import { takenText, workedOut } from '../base/aggregation-words.js';
import { testPieces } from '../base/test-words.js';

/** One step per line: a proof, or where each clause fails and what would make the fact hold. */
export function explanationLines(explanation: Explanation): string[] {
  const outline = new Outline();
  if (explanation.holds) {
    outline.collect(explanation.proof);
    return outline.proofLines(explanation.proof, '');
  }
  outline.collectOf(explanation.whyNot);
  return [...outline.whyNotLines(explanation.whyNot, ''), ...suggestionLines(explanation.suggestions)];
}

/** The first suggestion is the smallest. */
function suggestionLines({ sets, declared = [] }: Suggestions = { sets: [], complete: false }): string[] {
  const [first] = sets;
  if (first === undefined) {
    const facts = declared.map(({ relation, tuple }) => fact(relation, tuple));
    return facts.length === 0 ? [] : [`depends on facts that the module declares: ${facts.join('; ')}`];
  }
  const changes = first.changes.map(({ op, relation, tuple }) => `${op} ${fact(relation, tuple)}`);
  const checks = new Set(first.firings.map(({ check }) => check));
  const refused = checks.size === 0 ? '' : `, but that violates ${[...checks].join(', ')}`;
  return [`it would be true after: ${changes.join('; ')}${refused}`];
}

/** Most contributions printed for an aggregate; `--json` has all. */
const CONTRIBUTIONS_MAX = 12;

const BEHIND = { fails: 'also fails', open: 'open' } as const;

/** Expands a fact on its first line and refers to it afterwards. The response expands it where its depth is least. */
class Outline {
  private readonly proofs = new Map<string, ProofNode>();
  private readonly whyNots = new Map<string, WhyNot>();
  private readonly written = new Set<string>();

  collect(premise: ProofPremise): void {
    for (const node of nodesOf(premise)) if (node.factId !== undefined) this.proofs.set(node.factId, node);
  }

  collectOf(whyNot: WhyNot): void {
    this.whyNots.set(whyNot.id, whyNot);
    for (const { satisfied, fails, behind = [] } of whyNot.clauses) {
      for (const premise of satisfied) this.collect(premise);
      for (const failing of [fails, ...behind]) {
        if (failing?.blockedBy !== undefined) this.collect(failing.blockedBy);
        if (failing?.aggregate !== undefined) this.collect(failing.aggregate);
      }
      if (fails?.whyNot !== undefined) this.collectOf(fails.whyNot);
    }
  }

  proofLines(premise: ProofPremise, indent: string): string[] {
    const node = 'ref' in premise ? this.proofs.get(premise.ref) : premise;
    if (node === undefined) return [`${indent}(shown elsewhere)`];
    const { factId, kind, relation, tuple, text, value, values = [], rule, premises } = node;
    const what = relation === undefined ? tested(text ?? '', values) : pattern(relation, tuple ?? []);
    if (premises.length > 0 && this.isWritten(factId)) return [`${indent}${what} (as shown above)`];
    const result = value === undefined || value === null ? '' : ` = ${JSON.stringify(value)}`;
    const place = rule === undefined ? '' : `, ${rule.span.file}:${rule.span.start.line}`;
    return [`${indent}${what}${result} (${kind}${place})`, ...this.below(node, `${indent}  `)];
  }

  /** A single aggregate needs no heading; several each have one. */
  private below(node: ProofNode, indent: string): string[] {
    const { aggregates = [] } = node;
    const { others } = premisesTaken(node);
    const isOne = aggregates.length === 1 && others.length === 0;
    const worked = aggregates.flatMap((each) =>
      isOne
        ? this.aggregationLines(each, '', indent, indent)
        : this.aggregationLines(each, `${each.text} = ${shown(each.value)}, `, indent, `${indent}  `),
    );
    return [...worked, ...others.flatMap((inner) => this.proofLines(inner, indent))];
  }

  private aggregationLines(aggregation: Aggregation, what: string, indent: string, inner: string): string[] {
    const { function: name, taken, skipped = 0, contributions } = aggregation;
    const worked = workedOut(aggregation, shown);
    const more = taken + skipped - Math.min(contributions.length, CONTRIBUTIONS_MAX);
    return [
      `${indent}${what}takes ${takenText(aggregation)}${worked === undefined ? '' : `: ${worked}`}`,
      ...contributions.slice(0, CONTRIBUTIONS_MAX).flatMap((each) => this.contributionLines(each, name, inner)),
      ...(more > 0 ? [`${inner}and ${more.toLocaleString('en')} more`] : []),
    ];
  }

  private contributionLines(
    { bindings, value, decides = false, premises }: Contribution,
    name: Aggregation['function'],
    indent: string,
  ): string[] {
    const [only, ...more] = premises;
    if (name === 'count' && only !== undefined && more.length === 0) return this.proofLines(only, indent);
    const of = Object.entries(bindings).map(([variable, each]) => `${variable} = ${shown(each)}`);
    const gives = value === undefined ? '' : value === null ? ' has no value' : ` gives ${shown(value)}`;
    return [
      `${indent}${of.join(', ')}${gives}${decides ? ' (decides)' : ''}`,
      ...premises.flatMap((inner) => this.proofLines(inner, `${indent}  `)),
    ];
  }

  whyNotLines({ id, message, clauses }: WhyNot, indent: string): string[] {
    if (clauses.length > 0 && this.isWritten(id)) return [`${indent}${message} (as shown above)`];
    return [
      `${indent}${message}`,
      ...clauses.flatMap(({ span, branch, satisfied, fails, behind = [] }) => [
        `${indent}  clause at ${span.file}:${span.start.line}${branch === undefined ? '' : `, ${branch}`}`,
        ...satisfied.flatMap((premise) => this.proofLines(premise, `${indent}    `)),
        ...(fails === null ? [] : this.failureLines('stops at', fails, `${indent}    `)),
        ...behind.flatMap((each) => this.failureLines(BEHIND[each.state], each, `${indent}    `)),
      ]),
    ];
  }

  private failureLines(word: string, fails: FailingPremise, indent: string): string[] {
    const { text, reason, relation, tuple, blockedBy, aggregate, ref } = fails;
    const whyNot = fails.whyNot ?? this.whyNots.get(ref ?? '');
    // The blocking fact or the why-not already shows the tuple.
    const isShown = relation === undefined || blockedBy !== undefined || whyNot !== undefined;
    const found = reason ?? (isShown ? undefined : pattern(relation, tuple ?? []));
    return [
      `${indent}${word}: ${text}${found === undefined ? '' : ` (${found})`}`,
      ...(aggregate === undefined ? [] : this.below(aggregate, `${indent}  `)),
      ...(blockedBy === undefined ? [] : this.proofLines(blockedBy, `${indent}  `)),
      ...(whyNot === undefined ? [] : this.whyNotLines(whyNot, `${indent}  `)),
    ];
  }

  /** Whether it was printed before. Marks it as printed. */
  private isWritten(id: string | undefined): boolean {
    if (id === undefined) return false;
    if (this.written.has(id)) return true;
    this.written.add(id);
    return false;
  }
}

function fact(relation: string, tuple: readonly unknown[]): string {
  return `${relation}(${tuple.map(shown).join(', ')})`;
}

/** A fact in which `_` marks an open endpoint. */
function pattern(relation: string, tuple: readonly unknown[]): string {
  return `${relation}(${tuple.map((value) => (value === null ? '_' : shown(value))).join(', ')})`;
}

function tested(text: string, values: NonNullable<ProofNode['values']>): string {
  return testPieces(text, values)
    .map((piece) => (piece.kind === 'value' ? shown(piece.value) : piece.text))
    .join('');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
