/** A naive model of forks for `forks.property.test.ts`: every fork is a copy of its parent, merged field by field. */

export interface Node {
  readonly name: string;
  readonly note: string | null;
  readonly next: string | null;
}

/** A link is the text `a b`. */
export interface ModelState {
  readonly nodes: Map<string, Node>;
  readonly links: Set<string>;
}

export interface ModelFork {
  readonly id: string;
  readonly parent: ModelFork | null;
  readonly base: ModelState;
  state: ModelState;
  /** The states after each transaction that it sees, oldest first, starting before the first one. */
  readonly past: ModelPast[];
  status: 'open' | 'promoted' | 'aborted';
}

interface ModelPast {
  readonly state: ModelState;
  /** Whether the transaction forgot an individual. */
  readonly erased: boolean;
}

/** Refers to individuals by id. */
export type ModelWrite =
  | { readonly op: 'add'; readonly name: string }
  | { readonly op: 'rename'; readonly n: string; readonly name: string }
  | { readonly op: 'annotate'; readonly n: string; readonly note: string | null }
  | { readonly op: 'point'; readonly n: string; readonly next: string | null }
  | { readonly op: 'link' | 'unlink'; readonly a: string; readonly b: string }
  | { readonly op: 'remove' | 'erase'; readonly n: string };

/** The end of an error code, or the result of an operation that succeeds. */
export type OperationResult = string | { readonly ok: unknown };

const LINKS_MAX = 1;
const FIELDS = ['name', 'note', 'next'] as const;
const NOBODY: { readonly [field in (typeof FIELDS)[number]]: string | null } = { name: null, note: null, next: null };

export class Model {
  /** The current fork of each id. */
  readonly forks = new Map<string, ModelFork>();
  /** Also forks that were aborted and created again. */
  private readonly all: ModelFork[] = [];
  private nextIndividual = 1;

  constructor() {
    const past = [{ state: emptyState(), erased: false }];
    this.add({ id: 'main', parent: null, base: emptyState(), state: emptyState(), past, status: 'open' });
  }

  /** With `back`, from the parent's state that many transactions ago. */
  create(id: string, from: string, back = 0): OperationResult {
    const parent = this.forks.get(from);
    if (parent === undefined) return 'FORK_NOT_FOUND';
    if (parent.status !== 'open') return 'FORK_CLOSED';
    const known = this.forks.get(id);
    if (known !== undefined && known.status !== 'aborted') return 'FORK_EXISTS';
    const fork: ModelFork = {
      ...{ id, parent, base: copyOf(parent.state), state: copyOf(parent.state) },
      ...{ past: [...parent.past], status: 'open' },
    };
    this.add(fork);
    commit(fork, copyOf(parent.past.at(-1 - back)?.state ?? emptyState()));
    return { ok: id };
  }

  /** Reverts a transaction that a fork sees, counted back from its last. */
  undo(id: string, back: number): OperationResult {
    const fork = this.forks.get(id);
    if (fork === undefined) return 'FORK_NOT_FOUND';
    if (fork.status !== 'open') return 'FORK_CLOSED';
    const [before, after] = [fork.past.at(-2 - back), fork.past.at(-1 - back)];
    if (after?.erased === true) return 'VALIDATION_FAILED';
    const merged = merge(after?.state ?? emptyState(), before?.state ?? emptyState(), fork.state, false, true);
    if (merged === undefined) return 'VALIDATION_FAILED';
    if (isNewlyCrowded(fork.state, merged.state)) return 'CHECK_VIOLATION';
    commit(fork, merged.state);
    return { ok: merged.conflicts.sort() };
  }

  /** Returns the id of the inserted individual. */
  write(id: string, write: ModelWrite, dryRun: boolean): OperationResult {
    const fork = this.forks.get(id);
    if (fork === undefined) return 'FORK_NOT_FOUND';
    if (fork.status !== 'open') return 'FORK_CLOSED';
    if (write.op === 'erase' && id !== 'main') return 'VALIDATION_FAILED';
    const state = copyOf(fork.state);
    const added = `#i${this.nextIndividual}`;
    if (!applyWrite(state, write, added)) return 'VALIDATION_FAILED';
    if (isNewlyCrowded(fork.state, state)) return 'CHECK_VIOLATION';
    if (!dryRun) {
      commit(fork, state, write.op === 'erase');
      if (write.op === 'add') this.nextIndividual += 1;
      if (write.op === 'erase') {
        for (const { base, state: now, past } of this.all) {
          for (const each of [base, now, ...past.map((one) => one.state)]) remove(each, write.n);
        }
      }
    }
    return { ok: write.op === 'add' ? added : null };
  }

  abort(id: string): OperationResult {
    const fork = this.forks.get(id);
    if (fork === undefined) return 'FORK_NOT_FOUND';
    if (id === 'main') return 'VALIDATION_FAILED';
    if (fork.status !== 'open') return 'FORK_CLOSED';
    fork.status = 'aborted';
    return { ok: id };
  }

  /** Returns the conflicts. */
  promote(id: string, dryRun: boolean, keepsParents: boolean): OperationResult {
    const fork = this.forks.get(id);
    if (fork === undefined) return 'FORK_NOT_FOUND';
    const { parent } = fork;
    if (parent === null) return 'VALIDATION_FAILED';
    if (fork.status !== 'open' || parent.status !== 'open') return 'FORK_CLOSED';
    const merged = merge(fork.base, fork.state, parent.state, keepsParents);
    if (merged === undefined) return 'VALIDATION_FAILED';
    if (isNewlyCrowded(parent.state, merged.state)) return 'CHECK_VIOLATION';
    if (!dryRun) {
      commit(parent, merged.state);
      fork.status = 'promoted';
    }
    return { ok: merged.conflicts.sort() };
  }

  /** Creates a fork of the parent's current state with the changes of this one. Returns the conflicts. */
  update(id: string, newId: string, dryRun: boolean, keepsParents: boolean): OperationResult {
    const fork = this.forks.get(id);
    if (fork === undefined) return 'FORK_NOT_FOUND';
    let { parent } = fork;
    if (parent === null) return 'VALIDATION_FAILED';
    if (fork.status !== 'open') return 'FORK_CLOSED';
    while (parent.status !== 'open' && parent.parent !== null) parent = parent.parent;
    const known = this.forks.get(newId);
    if (known !== undefined && known.status !== 'aborted') return 'FORK_EXISTS';
    const merged = merge(fork.base, fork.state, parent.state, keepsParents);
    if (merged === undefined) return 'VALIDATION_FAILED';
    if (!dryRun) {
      this.create(newId, parent.id);
      const made = this.forks.get(newId);
      if (made !== undefined) commit(made, merged.state);
    }
    return { ok: merged.conflicts.sort() };
  }

  /** Cherry-picks a transaction that a fork saw, counted back from its last, onto another fork. Returns the conflicts. */
  pick(from: string, back: number, onto: string, dryRun: boolean, keepsParents: boolean): OperationResult {
    const [source, target] = [this.forks.get(from), this.forks.get(onto)];
    if (source === undefined || target === undefined) return 'FORK_NOT_FOUND';
    if (target.status !== 'open') return 'FORK_CLOSED';
    const [base, mine] = [-2 - back, -1 - back].map((at) => source.past.at(at)?.state ?? emptyState());
    const merged = merge(base ?? emptyState(), mine ?? emptyState(), target.state, keepsParents);
    if (merged === undefined) return 'VALIDATION_FAILED';
    if (isNewlyCrowded(target.state, merged.state)) return 'CHECK_VIOLATION';
    if (!dryRun) commit(target, merged.state);
    return { ok: merged.conflicts.sort() };
  }

  private add(fork: ModelFork): void {
    this.all.push(fork);
    this.forks.delete(fork.id);
    this.forks.set(fork.id, fork);
  }
}

/** A transaction without changes is not recorded. */
function commit(fork: ModelFork, state: ModelState, erased = false): void {
  const isSame = JSON.stringify(storedFacts(fork.state).sort()) === JSON.stringify(storedFacts(state).sort());
  fork.state = state;
  if (!isSame) fork.past.push({ state: copyOf(state), erased });
}

/** Every stored fact, as relation and tuple. */
export function storedFacts({ nodes, links }: ModelState): string[] {
  const facts: string[] = [];
  const fact = (relation: string, ...tuple: readonly string[]) => facts.push(JSON.stringify([relation, tuple]));
  for (const [id, node] of nodes) {
    fact('g::Node', id);
    for (const field of FIELDS) {
      const value = node[field];
      if (value !== null) fact(`g::Node.${field}`, id, value);
    }
  }
  for (const link of links) fact('g::link', ...link.split(' '));
  return facts;
}

/** The transitive closure of the links, as pairs. */
export function reachOf({ links }: ModelState): string[] {
  const reach = new Set(links);
  for (let size = -1; size !== reach.size; ) {
    size = reach.size;
    for (const pair of [...reach]) {
      for (const link of links)
        if (pair.split(' ')[1] === link.split(' ')[0]) reach.add(`${pair.split(' ')[0]} ${link.split(' ')[1]}`);
    }
  }
  return [...reach];
}

/** False if a mentioned individual does not exist. */
function applyWrite(state: ModelState, write: ModelWrite, added: string): boolean {
  const { nodes, links } = state;
  const change = (id: string, fields: Partial<Node>): boolean => {
    const node = nodes.get(id);
    if (node !== undefined) nodes.set(id, { ...node, ...fields });
    return node !== undefined;
  };
  switch (write.op) {
    case 'add':
      nodes.set(added, { name: write.name, note: null, next: null });
      return true;
    case 'rename':
      return change(write.n, { name: write.name });
    case 'annotate':
      return change(write.n, { note: write.note });
    case 'point':
      return (write.next === null || nodes.has(write.next)) && change(write.n, { next: write.next });
    case 'link':
    case 'unlink': {
      if (!nodes.has(write.a) || !nodes.has(write.b)) return false;
      if (write.op === 'link') links.add(`${write.a} ${write.b}`);
      else links.delete(`${write.a} ${write.b}`);
      return true;
    }
    case 'remove':
    case 'erase':
      return remove(state, write.n);
  }
}

/** False if the node does not exist. */
function remove({ nodes, links }: ModelState, id: string): boolean {
  for (const link of links) if (link.split(' ').includes(id)) links.delete(link);
  for (const [other, node] of nodes) if (node.next === id) nodes.set(other, { ...node, next: null });
  return nodes.delete(id);
}

/** A three-way merge. Undefined if it needs what the target has lost; a revert leaves out fields of individuals that the target has lost. */
function merge(
  base: ModelState,
  mine: ModelState,
  theirs: ModelState,
  keepsParents: boolean,
  isRevert = false,
): { readonly state: ModelState; readonly conflicts: string[] } | undefined {
  const state = copyOf(theirs);
  const conflicts: string[] = [];
  const note = (individual: string, field: (typeof FIELDS)[number], kept: 'fork' | 'parent'): boolean => {
    const parent = theirs.nodes.get(individual)?.[field];
    const [was, fork] = [base, mine].map(({ nodes }) => (nodes.get(individual) ?? NOBODY)[field]);
    if (parent === undefined || parent === was || parent === fork) return false;
    conflicts.push(JSON.stringify({ individual, field: `g::Node.${field}`, base: was, fork, parent, kept }));
    return true;
  };
  for (const [id, { name }] of mine.nodes)
    if (!base.nodes.has(id) && !state.nodes.has(id)) state.nodes.set(id, { name, note: null, next: null });
  for (const [id, node] of mine.nodes) {
    // An individual that was restored before keeps its current fields.
    if (isRevert && !base.nodes.has(id) && theirs.nodes.has(id)) continue;
    for (const field of FIELDS) {
      if (node[field] === (base.nodes.get(id) ?? NOBODY)[field]) continue;
      const target = state.nodes.get(id);
      if (target === undefined && field === 'next' && isClearedWith(base.nodes.get(id)?.next, node.next, mine))
        continue;
      if (target === undefined && isRevert) continue;
      if (note(id, field, keepsParents ? 'parent' : 'fork') && keepsParents) continue;
      if (target === undefined || (field === 'next' && node.next !== null && !state.nodes.has(node.next)))
        return undefined;
      state.nodes.set(id, { ...target, [field]: node[field] });
    }
  }
  for (const link of mine.links) {
    if (base.links.has(link)) continue;
    if (link.split(' ').some((id) => !state.nodes.has(id))) return undefined;
    state.links.add(link);
  }
  for (const link of base.links) if (!mine.links.has(link)) state.links.delete(link);
  for (const [id, node] of base.nodes) {
    if (mine.nodes.has(id)) continue;
    for (const field of FIELDS) if (!isRevert || node[field] !== null) note(id, field, 'fork');
    remove(state, id);
  }
  return { state, conflicts };
}

/** Whether a reference is empty because its target was removed. */
function isClearedWith(was: string | null | undefined, is: string | null, mine: ModelState): boolean {
  return is === null && typeof was === 'string' && !mine.nodes.has(was);
}

function isNewlyCrowded(before: ModelState, after: ModelState): boolean {
  return [...after.nodes.keys()].some((id) => linksFrom(after, id) > LINKS_MAX && linksFrom(before, id) <= LINKS_MAX);
}

function linksFrom({ links }: ModelState, id: string): number {
  return [...links].filter((link) => link.startsWith(`${id} `)).length;
}

function emptyState(): ModelState {
  return { nodes: new Map(), links: new Set() };
}

function copyOf({ nodes, links }: ModelState): ModelState {
  return { nodes: new Map(nodes), links: new Set(links) };
}
