/** An explanation as a tree of steps: the proof of a fact, or the why-not of a missing one. */

import { nodesOf, proofsIn } from '../../../src-runtime/api/proof-nodes.js';
import type {
  Aggregation,
  Explanation,
  FailingPremise,
  LaterPremise,
  ProofNode,
  ProofPremise,
  WhyNot,
} from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { JsonValue, WireEvent } from '../../../src-runtime/api/schemas/schemas.js';
import type { Span } from '../../../src-runtime/base/span.js';
import type { Sense } from '../../model/sentences/sentence.js';
import { type AggregatedSteps, aggregatedSteps, type StepMaker } from './contribution-steps.js';

export type StepKind =
  | ProofNode['kind']
  /** What an aggregate takes from one binding. */
  | 'contribution'
  /** The fact is expanded elsewhere in the tree. */
  | 'ref'
  /** A missing tuple. */
  | 'whyNot'
  /** A clause that could derive it. */
  | 'clause'
  /** The premise at which the clause stops: a missing fact. */
  | 'missing'
  /** The premise at which the clause stops: a false comparison, or a negated fact that is true. */
  | 'fails'
  /** A later premise that is missing or fails as well. */
  | 'missingToo'
  | 'failsToo'
  /** A later premise with variables that are not bound. */
  | 'open';

/** Word for a kind, beside its glyph. */
export const KIND_WORD: Record<StepKind, string> = {
  declared: 'declared',
  stored: 'stored',
  derived: 'derived',
  absent: 'absent',
  test: 'test',
  aggregate: 'aggregate',
  contribution: 'contribution',
  ref: 'see above',
  whyNot: 'false',
  clause: 'clause',
  missing: 'missing',
  fails: 'fails',
  missingToo: 'also missing',
  failsToo: 'also fails',
  open: 'open',
};

/** Word for a step, with what distinguishes it: size of an aggregate, deciding contribution, reach of a clause, or reference. */
export function kindWord({ kind, contributions, share, value, reach, target }: Step): string {
  const word = KIND_WORD[kind];
  if (share !== undefined && value === null) return 'skipped';
  if (share?.decides && kind !== 'contribution') return `${word}, decides`;
  if (reach !== undefined)
    return `${reach.isNearest ? `nearest ${word}` : word}: ${reach.held} of ${reach.premises} conditions met`;
  if (UNMET.has(kind) && target !== undefined) return `${word}, ${KIND_WORD.ref}`;
  return contributions === undefined ? word : `${word} of ${contributions.toLocaleString('en')}`;
}

/** `clause 2`, with the alternatives of one that has some: `clause 2, works(p)`. */
export function clauseName({ clause, branch }: NonNullable<Step['rule']>): string {
  return `clause ${clause + 1}${branch ? `, ${branch}` : ''}`;
}

/** Premises of a why-not. Their source text says more than their sentence. */
export const UNMET: ReadonlySet<StepKind> = new Set(['missing', 'fails', 'missingToo', 'failsToo', 'open']);

/** Sense of the fact of a step. Steps of other kinds state that it is true. */
export const SENSE: Partial<Record<StepKind, Sense>> = {
  absent: 'absent',
  missing: 'missing',
  fails: 'forbidden',
  missingToo: 'missing',
  failsToo: 'forbidden',
};

export interface Step {
  /** Number in reading order, so that the same explanation has the same ids. */
  readonly id: string;
  readonly kind: StepKind;
  readonly relation: string | undefined;
  readonly tuple: readonly (JsonValue | null)[] | undefined;
  /** Source text or message, for steps that are more than a fact. */
  readonly text: string | undefined;
  /** Values of a failed comparison: `l.rent is 800, needed >= 900`. */
  readonly reason: string | undefined;
  readonly value: JsonValue | undefined;
  /** Operands of a comparison; null where absent. */
  readonly values: NonNullable<ProofNode['values']>;
  /** For an aggregate, the number of its bindings. */
  readonly contributions: number | undefined;
  /** For an aggregate; the contributions are its children. */
  readonly aggregation: Aggregation | undefined;
  /** For a contribution, the aggregate it belongs to. */
  readonly share: { readonly function: Aggregation['function']; readonly decides: boolean } | undefined;
  readonly factId: string | undefined;
  /** For a missing premise, the id of the why-not that explains it elsewhere. */
  readonly question: string | undefined;
  /** For a `ref`, the step that expands the fact; for a missing premise, the step that explains it. */
  readonly target: string | undefined;
  /** For a clause of a why-not: number of satisfied premises, and whether it is the only nearest clause. */
  readonly reach: { readonly held: number; readonly premises: number; readonly isNearest: boolean } | undefined;
  /** Place in the source. */
  readonly span: Span | undefined;
  readonly rule: { readonly path: string; readonly clause: number; readonly branch?: string | undefined } | undefined;
  readonly bindings: Readonly<Record<string, JsonValue>>;
  readonly event: WireEvent | undefined;
  /** For a clause of the explained tuple, the variables that can be given a value. */
  readonly variables: NonNullable<WhyNot['clauses'][number]['variables']>;
  /** Premises are omitted because of a limit. */
  readonly cut: boolean;
  readonly cutBy: ProofNode['cutBy'];
  readonly children: readonly Step[];
}

export function hasFound(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}

/** What a contribution does: `adds 30`. */
export function givenBy({ share, value }: Step): { readonly words: string; readonly value: JsonValue | undefined } {
  if (share?.function === 'count') return { words: 'counts', value: undefined };
  if (!hasFound(value)) return { words: 'has no value', value: undefined };
  if (share?.decides) return { words: 'decides with', value };
  return { words: share?.function === 'sum' ? 'adds' : 'gives', value };
}

/**
 * Name and expression of a `let` with a known value, or of an aggregate inside an expression. The value is shown before a long
 * expression.
 */
export function letOf(step: Step): { readonly name: string; readonly expression: string } | undefined {
  const { text, value, aggregation } = step;
  if (!hasFound(value)) return undefined;
  const [, name = aggregation?.function, expression = aggregation?.text] = LET.exec(text ?? '') ?? [];
  return name === undefined || expression === undefined ? undefined : { name, expression };
}

const LET = /^let (\w+) = (.*)$/s;

export interface UnmetLet {
  readonly name: string;
  /** Computed value. */
  readonly value: string;
  /** Value of the explained tuple. */
  readonly needed: string;
  readonly expression: string;
}

/** For a `let` whose value differs from the explained tuple: both values, shown before a long expression. */
export function unmetLetOf({ text, reason }: Step): UnmetLet | undefined {
  const name = LET.exec(text ?? '')?.[1];
  if (name === undefined || reason === undefined) return undefined;
  const said = new RegExp(`^(.*) is (.*), needed == ${name}, which is (.*)$`, 's').exec(reason);
  const [, expression, value, needed] = said ?? [];
  if (expression === undefined || value === undefined || needed === undefined) return undefined;
  return { name, value, needed, expression };
}

export function explanationSteps(explanation: Explanation): Step[] {
  return stepsTogether([explanation]);
}

/** Several explanations as one forest. Each fact is expanded once, in the first of them, so a root may be a `ref`. */
export function stepsTogether(explanations: readonly Explanation[]): Step[] {
  const builder = createBuilder();
  return explanations.map(builder.root).map(builder.resolved);
}

/** All steps in preorder. */
export function allSteps(roots: readonly Step[]): Step[] {
  const steps: Step[] = [];
  const stack = [...roots].reverse();
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    steps.push(step);
    for (let index = step.children.length - 1; index >= 0; index--) {
      const child = step.children[index];
      if (child !== undefined) stack.push(child);
    }
  }
  return steps;
}

/** A premise that asks for a missing fact, as opposed to a negated fact or a comparison. */
function isMissing({ relation, blockedBy, reason, text }: FailingPremise): boolean {
  return relation !== undefined && blockedBy === undefined && reason === undefined && !text.startsWith('not ');
}

function laterKind(source: LaterPremise): StepKind {
  if (source.state === 'open') return 'open';
  return isMissing(source) ? 'missingToo' : 'failsToo';
}

type Draft = Omit<Step, 'children' | 'target'>;

const NOTHING = {
  relation: undefined,
  tuple: undefined,
  text: undefined,
  reason: undefined,
  value: undefined,
  values: [],
  contributions: undefined,
  aggregation: undefined,
  share: undefined,
  reach: undefined,
  question: undefined,
  factId: undefined,
  span: undefined,
  rule: undefined,
  bindings: {},
  event: undefined,
  variables: [],
  cut: false,
  cutBy: undefined,
} satisfies Omit<Draft, 'id' | 'kind'>;

function unmet({ relation, tuple, text, reason, values = [], cut = false, span, ref }: FailingPremise) {
  return { ...NOTHING, relation, tuple, text, reason, values, cut, span, question: ref };
}

/** Number of unsatisfied premises of a clause. */
function lackedBy({ fails, behind = [] }: WhyNot['clauses'][number]): number {
  return (fails === null ? 0 : 1) + behind.length;
}

/** The clause with the fewest unsatisfied premises; undefined if it is the only clause, or not the only one with as few. */
function nearestOf(clauses: WhyNot['clauses']): WhyNot['clauses'][number] | undefined {
  const [first, second] = [...clauses].sort((left, right) => lackedBy(left) - lackedBy(right));
  return first !== undefined && second !== undefined && lackedBy(first) < lackedBy(second) ? first : undefined;
}

function elsewhere(id: string, factId: string): Step {
  return { ...NOTHING, id, kind: 'ref', factId, target: undefined, children: [] };
}

function proofStep(source: ProofNode, id: string, { children, aggregation }: AggregatedSteps): Step {
  const {
    kind,
    relation,
    tuple,
    text,
    value,
    values = [],
    contributions,
    factId,
    rule,
    bindings = {},
    event,
    cut,
    cutBy,
  } = source;
  return {
    ...NOTHING,
    ...{ id, kind, relation, tuple, text, value, values, factId, bindings, event, children, aggregation },
    contributions: source.aggregates === undefined ? contributions : aggregation?.taken,
    target: undefined,
    span: rule?.span,
    rule,
    cut: cut === true,
    cutBy,
  };
}

/** Collects the facts of a proof by id. */
function noteFacts(proof: ProofPremise, known: Map<string, ProofNode>): void {
  for (const node of nodesOf(proof)) if (node.factId !== undefined) known.set(node.factId, node);
}

function createBuilder() {
  let count = 0;
  const expanded = new Map<string, Step>();
  /** Facts expanded in earlier explanations. */
  let earlier: ReadonlySet<string> = new Set();
  /** Facts omitted because they are below a fact expanded elsewhere; another step may refer to them. */
  const leftOut = new Map<string, ProofNode>();
  /** Step by the id of the why-not that it shows. */
  const answered = new Map<string, string>();
  /** All facts of the current explanation. */
  const facts = new Map<string, ProofNode>();
  const factOf = (source: ProofPremise): ProofNode | undefined => ('ref' in source ? facts.get(source.ref) : source);
  /** Premises to expand where a contribution refers to them. */
  const waiting = new Map<string, ProofNode>();
  const nextId = (): string => `s${++count}`;

  const step = (of: Parameters<StepMaker['step']>[0], children: () => readonly Step[], question?: string): Step => {
    const id = nextId();
    if (question !== undefined) answered.set(question, id);
    return { ...NOTHING, target: undefined, ...of, id, children: children() };
  };

  const below = (source: ProofNode): AggregatedSteps =>
    source.aggregates === undefined
      ? { children: source.premises.map(premise), aggregation: undefined }
      : aggregatedSteps(source, { premise, step, factOf, waiting });

  const premise = (source: ProofPremise): Step => {
    const id = nextId();
    if ('ref' in source) {
      const own = waiting.get(source.ref);
      if (own === undefined) return elsewhere(id, source.ref);
      waiting.delete(source.ref);
      return premise(own);
    }
    const { factId } = source;
    if (factId !== undefined && earlier.has(factId)) {
      noteFacts(source, leftOut);
      return elsewhere(id, factId);
    }
    const step = proofStep(source, id, below(source));
    if (factId !== undefined) expanded.set(factId, step);
    return step;
  };

  const whyNot = ({ id, relation, tuple, message: text, clauses }: WhyNot): Step =>
    step({ kind: 'whyNot', relation, tuple, text }, () => clausesOf(clauses), id);

  const clausesOf = (clauses: WhyNot['clauses']): Step[] => {
    const nearest = nearestOf(clauses);
    return clauses.map((each) => clause(each, each === nearest));
  };

  const clause = (source: WhyNot['clauses'][number], isNearest: boolean): Step => {
    const {
      rule: path,
      clause: number,
      branch,
      span,
      bindings,
      variables = [],
      satisfied,
      fails,
      behind = [],
    } = source;
    const reach = { held: satisfied.length, premises: satisfied.length + lackedBy(source), isNearest };
    return step({ kind: 'clause', span, rule: { path, clause: number, branch }, bindings, variables, reach }, () => [
      ...satisfied.map(premise),
      ...(fails === null ? [] : [failure(fails, isMissing(fails) ? 'missing' : 'fails')]),
      ...behind.map((each) => failure(each, laterKind(each))),
    ]);
  };

  const failure = (source: FailingPremise, kind: StepKind): Step => {
    const { aggregate, blockedBy, whyNot: asked } = source;
    const id = nextId();
    const taken = aggregate === undefined ? undefined : below(aggregate);
    const children = [
      ...(taken?.children ?? []),
      ...(blockedBy === undefined ? [] : [premise(blockedBy)]),
      // The why-not of the failing premise: its clauses, without repeating the premise.
      ...(asked === undefined ? [] : clausesOf(asked.clauses)),
    ];
    if (asked !== undefined) answered.set(asked.id, id);
    return { ...unmet(source), id, kind, target: undefined, aggregation: taken?.aggregation, children };
  };

  const root = (explanation: Explanation): Step => {
    earlier = new Set(expanded.keys());
    for (const proof of explanation.holds ? [explanation.proof] : proofsIn(explanation.whyNot)) noteFacts(proof, facts);
    return explanation.holds ? premise(explanation.proof) : whyNot(explanation.whyNot);
  };

  /** Resolves each `ref` to its fact, which may be expanded before or after it. */
  const resolved = (step: Step): Step => {
    if (step.kind === 'ref') {
      const missing = expanded.has(step.factId ?? '') ? undefined : leftOut.get(step.factId ?? '');
      if (missing !== undefined) {
        earlier = new Set(expanded.keys());
        return resolved(premise(missing));
      }
      const target = expanded.get(step.factId ?? '');
      return { ...step, target: target?.id, relation: target?.relation, tuple: target?.tuple };
    }
    return { ...step, target: answered.get(step.question ?? ''), children: step.children.map(resolved) };
  };

  return { root, resolved };
}
