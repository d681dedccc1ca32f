/** An explanation as the tree that the outline shows: proofs, and where a tuple does not hold, the reasons why not. */

import type {
  Explanation,
  FailingPremise,
  PremiseBehind,
  ProofNode,
  ProofPremise,
  WhyNot,
} from '../../src-runtime/api/explanation-schemas.js';
import type { JsonValue, WireEvent } from '../../src-runtime/api/schemas.js';
import type { Span } from '../../src-runtime/base/span.js';
import type { Sense } from '../data/sentence.js';

export type StepKind =
  | ProofNode['kind']
  /** The fact is expanded elsewhere in the same tree. */
  | 'ref'
  /** A tuple that does not hold. */
  | 'whyNot'
  /** A clause that could have derived it. */
  | 'clause'
  /** The premise at which the clause stops: a fact that there is not. */
  | 'missing'
  /** The same of a comparison that is not true, or of a fact that must not hold and does. */
  | 'fails'
  /** A premise behind that one which is missing too, or fails too. */
  | 'missingToo'
  | 'failsToo'
  /** One behind it that waits for what the premises before it would bind. */
  | 'open';

/** What a kind is called beside its shape. */
export const KIND_WORD: Record<StepKind, string> = {
  declared: 'declared',
  stored: 'stored',
  derived: 'derived',
  absent: 'absent',
  test: 'test',
  aggregate: 'aggregate',
  ref: 'shown elsewhere',
  whyNot: 'does not hold',
  clause: 'clause',
  missing: 'missing',
  fails: 'fails',
  missingToo: 'missing too',
  failsToo: 'fails too',
  open: 'open',
};

/** The same of a step, with how much an aggregate takes together: `aggregate of 500`. */
export function kindWord({ kind, contributions }: Pick<Step, 'kind' | 'contributions'>): string {
  return contributions === undefined ? KIND_WORD[kind] : `${KIND_WORD[kind]} of ${contributions.toLocaleString('en')}`;
}

/** Premises that a why-not is about: what is written of them in the source says more than their sentence. */
export const UNMET: ReadonlySet<StepKind> = new Set(['missing', 'fails', 'missingToo', 'failsToo', 'open']);

/** How the fact of a step is meant; a step of any other kind says that it holds. */
export const SENSE: Partial<Record<StepKind, Sense>> = {
  absent: 'absent',
  missing: 'missing',
  fails: 'forbidden',
  missingToo: 'missing',
  failsToo: 'forbidden',
};

export interface Step {
  /** Counts in reading order, so that it is the same for the same explanation. */
  readonly id: string;
  readonly kind: StepKind;
  readonly relation: string | undefined;
  readonly tuple: readonly (JsonValue | null)[] | undefined;
  /** What the source or the server says, where it is more than a fact. */
  readonly text: string | undefined;
  /** What a failing comparison found: `l.rent is 800, needed >= 900`. */
  readonly reason: string | undefined;
  readonly value: JsonValue | undefined;
  /** What a comparison read, null where that is absent. */
  readonly values: NonNullable<ProofNode['values']>;
  /** Of an aggregate, how many bindings it takes together. */
  readonly contributions: number | undefined;
  readonly factId: string | undefined;
  /** On a `ref`, the step that expands the fact. */
  readonly target: string | undefined;
  /** Where in the source this step comes from. */
  readonly span: Span | undefined;
  readonly rule: { readonly path: string; readonly clause: number } | undefined;
  readonly bindings: Readonly<Record<string, JsonValue>>;
  readonly event: WireEvent | undefined;
  /** Of a clause of the tuple that is asked about, the variables that values can be given to. */
  readonly variables: NonNullable<WhyNot['clauses'][number]['variables']>;
  /** Premises were left out because the proof reached its limit. */
  readonly cut: boolean;
  readonly children: readonly Step[];
}

/** Lists and records have no value on the wire of a proof. */
export function hasFound(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}

/** Of a `let` whose value is known, its name and what it stands for, so that the value can be said before a long expression. */
export function letOf({ text, value }: Step): { readonly name: string; readonly expression: string } | undefined {
  const [, name, expression] = (hasFound(value) ? LET.exec(text ?? '') : null) ?? [];
  return name === undefined || expression === undefined ? undefined : { name, expression };
}

const LET = /^let (\w+) = (.*)$/s;

export interface UnmetLet {
  readonly name: string;
  /** What it comes to. */
  readonly value: string;
  /** What the tuple that is asked about says instead. */
  readonly needed: string;
  readonly expression: string;
}

/** Of a `let` that comes to something else than is asked about: the values can be said before a long expression. */
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

/**
 * Several explanations as one: a root for each, and each fact expanded once, where the first of them has it. So a root may be a
 * `ref` too, where another one rests on it.
 */
export function stepsTogether(explanations: readonly Explanation[]): Step[] {
  const builder = createBuilder();
  return explanations.map(builder.root).map(builder.resolved);
}

/** Every step, parents before their children. */
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

/** A tree of this many steps is shown whole; of a larger one, branches below `OPEN_LEVELS` start closed. */
const OPEN_STEPS_MAX = 60;
const OPEN_LEVELS = 3;

/** What is chosen at first: the premise at which the only clause of a why-not stops, else the fact itself. */
export function chosenAtFirst(roots: readonly Step[]): Step | undefined {
  const [root, ...others] = roots;
  if (root?.kind !== 'whyNot' || others.length > 0 || root.children.length !== 1) return root;
  return root.children[0]?.children.find(isStop) ?? root;
}

function isStop({ kind }: Step): boolean {
  return kind === 'missing' || kind === 'fails';
}

/** So many rows may stand before the premise at which a clause stops; of more, those that hold are closed. */
const ROWS_BEFORE_STOP_MAX = 8;

/** The premises of a clause that hold, where their proofs would push the one at which it stops out of sight. */
function heldBefore({ children }: Step): readonly Step[] {
  const held = children.slice(0, Math.max(0, children.findIndex(isStop)));
  return allSteps(held).length > ROWS_BEFORE_STOP_MAX ? held.filter((step) => step.children.length > 0) : [];
}

/** So many facts behind an aggregate are in the way of what follows it: of more, they are closed. */
const ROWS_OF_AGGREGATE_MAX = 24;

/** Aggregates whose facts would push the premises behind them out of sight, such as the formula that their values are put into. */
function longAggregates({ children }: Step): readonly Step[] {
  return children
    .slice(0, -1)
    .filter(({ kind, children: facts }) => kind === 'aggregate' && facts.length > ROWS_OF_AGGREGATE_MAX);
}

/** What is collapsed at first. */
export function collapsedAtFirst(roots: readonly Step[]): ReadonlySet<string> {
  const steps = allSteps(roots);
  const collapsed = new Set(
    steps
      .filter(({ kind }) => kind === 'clause')
      .flatMap(heldBefore)
      .map(({ id }) => id),
  );
  for (const { id } of steps.flatMap(longAggregates)) collapsed.add(id);
  if (steps.length <= OPEN_STEPS_MAX) return collapsed;
  const visit = (steps: readonly Step[], level: number, isOnWay: boolean): void => {
    for (const step of steps) {
      if (step.children.length === 0) continue;
      const leadsOn = isOnWay && leadsToStop(step, steps);
      if (level >= OPEN_LEVELS && !leadsOn) collapsed.add(step.id);
      visit(step.children, level + 1, leadsOn);
    }
  };
  visit(roots, 1, roots.length === 1);
  return collapsed;
}

/** On the one way from the question down to what stops it: as long as each question on it has one clause. */
function leadsToStop(step: Step, siblings: readonly Step[]): boolean {
  if (step.kind === 'clause') return siblings.length === 1;
  return (step.kind === 'whyNot' || isStop(step)) && step.children.length === 1;
}

/** A fact is asked for and not there; what must not hold is blocked by a fact, and a comparison names none. */
function isMissing({ relation, blockedBy, reason, text }: FailingPremise): boolean {
  return relation !== undefined && blockedBy === undefined && reason === undefined && !text.startsWith('not ');
}

function kindBehind(source: PremiseBehind): StepKind {
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
  factId: undefined,
  span: undefined,
  rule: undefined,
  bindings: {},
  event: undefined,
  variables: [],
  cut: false,
} satisfies Omit<Draft, 'id' | 'kind'>;

function unmet({ relation, tuple, text, reason, values = [], cut = false, span }: FailingPremise) {
  return { ...NOTHING, relation, tuple, text, reason, values, cut, span };
}

function elsewhere(id: string, factId: string): Step {
  return { ...NOTHING, id, kind: 'ref', factId, target: undefined, children: [] };
}

function proofStep(source: ProofNode, id: string, children: readonly Step[]): Step {
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
  } = source;
  return {
    ...NOTHING,
    ...{ id, kind, relation, tuple, text, value, values, contributions, factId, bindings, event, children },
    target: undefined,
    span: rule?.span,
    rule: rule === undefined ? undefined : { path: rule.path, clause: rule.clause },
    cut: cut === true,
  };
}

/** Notes every fact below one, by its id. */
function noteFacts({ premises }: ProofNode, known: Map<string, ProofNode>): void {
  for (const each of premises) {
    if ('ref' in each) continue;
    if (each.factId !== undefined) known.set(each.factId, each);
    noteFacts(each, known);
  }
}

function createBuilder() {
  let count = 0;
  const expanded = new Map<string, Step>();
  /** What explanations before have expanded. */
  let earlier: ReadonlySet<string> = new Set();
  /** By fact, what was left out with a fact that is expanded elsewhere: something else may lead to it. */
  const leftOut = new Map<string, ProofNode>();
  const nextId = (): string => {
    count += 1;
    return `s${count}`;
  };

  const premise = (source: ProofPremise): Step => {
    const id = nextId();
    if ('ref' in source) return elsewhere(id, source.ref);
    const { factId } = source;
    if (factId !== undefined && earlier.has(factId)) {
      noteFacts(source, leftOut);
      return elsewhere(id, factId);
    }
    const step = proofStep(source, id, source.premises.map(premise));
    if (factId !== undefined) expanded.set(factId, step);
    return step;
  };

  const whyNot = (source: WhyNot): Step => ({
    ...NOTHING,
    id: nextId(),
    kind: 'whyNot',
    relation: source.relation,
    tuple: source.tuple,
    text: source.message,
    target: undefined,
    children: source.clauses.map(clause),
  });

  const clause = (source: WhyNot['clauses'][number]): Step => ({
    ...NOTHING,
    id: nextId(),
    kind: 'clause',
    target: undefined,
    span: source.span,
    rule: { path: source.rule, clause: source.clause },
    bindings: source.bindings,
    variables: source.variables ?? [],
    children: [
      ...source.satisfied.map(premise),
      ...(source.fails === null ? [] : [failure(source.fails, isMissing(source.fails) ? 'missing' : 'fails')]),
      ...(source.behind ?? []).map((each) => failure(each, kindBehind(each))),
    ],
  });

  const failure = (source: FailingPremise, kind: StepKind): Step => ({
    ...unmet(source),
    id: nextId(),
    kind,
    target: undefined,
    children: [
      ...(source.blockedBy === undefined ? [] : [premise(source.blockedBy)]),
      // The same question of the failing premise: its clauses, without saying the premise again.
      ...(source.whyNot === undefined ? [] : source.whyNot.clauses.map(clause)),
    ],
  });

  const root = (explanation: Explanation): Step => {
    earlier = new Set(expanded.keys());
    return explanation.holds ? premise(explanation.proof) : whyNot(explanation.whyNot);
  };

  /** Gives each `ref` the fact that it stands for, which may be expanded before or after it. */
  const resolved = (step: Step): Step => {
    if (step.kind === 'ref') {
      const missing = expanded.has(step.factId ?? '') ? undefined : leftOut.get(step.factId ?? '');
      if (missing !== undefined) {
        earlier = new Set(expanded.keys());
        return resolved(premise(missing));
      }
      const target = step.factId === undefined ? undefined : expanded.get(step.factId);
      return { ...step, target: target?.id, relation: target?.relation, tuple: target?.tuple };
    }
    return { ...step, children: step.children.map(resolved) };
  };

  return { root, resolved };
}
