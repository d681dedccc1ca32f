/** Filters and ranks palette actions: an action must have every typed word. Recent actions come first. */

interface Findable {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
}

export interface PaletteGroup<A extends Findable> {
  readonly group: string;
  readonly actions: readonly A[];
}

interface Limits {
  /** Of all groups together. */
  readonly actionsMax: number;
  /** Ids of actions that were run, the latest first. */
  readonly recent?: readonly string[];
}

/**
 * Groups stay together, and the group of the best match comes first; of equal matches, the more recent. Without a query, the
 * recent actions are a group.
 */
export function matchingActions<A extends Findable>(
  groups: readonly PaletteGroup<A>[],
  query: string,
  { actionsMax, recent = [] }: Limits,
): PaletteGroup<A>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ages = new Map(recent.map((id, age) => [id, age]));
  const ageOf = ({ id }: A): number => ages.get(id) ?? recent.length;
  const ranked = (words.length === 0 ? withRecent(groups, recent) : groups)
    .flatMap(({ group, actions }) => actions.map((action) => ({ group, action, rank: rankOf(action, words) })))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || (words.length === 0 ? 0 : ageOf(a.action) - ageOf(b.action)))
    .slice(0, actionsMax);
  const found = new Map<string, A[]>();
  for (const { group, action } of ranked) found.set(group, [...(found.get(group) ?? []), action]);
  return [...found].map(([group, actions]) => ({ group, actions }));
}

const RECENT_MAX = 5;

function withRecent<A extends Findable>(groups: readonly PaletteGroup<A>[], recent: readonly string[]) {
  const all = new Map(groups.flatMap(({ actions }) => actions).map((action) => [action.id, action]));
  const actions = recent.flatMap((id) => all.get(id) ?? []).slice(0, RECENT_MAX);
  const others = groups.map((each) => ({
    ...each,
    actions: each.actions.filter((action) => !actions.includes(action)),
  }));
  return [{ group: 'Recent', actions }, ...others];
}

const NO_MATCH = 5;

/**
 * From best to worst: the label equals the query, starts with it, contains it, contains all words, or other fields do.
 */
function rankOf({ label, description = '', keywords = [] }: Findable, words: readonly string[]): number {
  const own = label.toLowerCase();
  const typed = words.join(' ');
  if (own === typed) return 0;
  if (own.startsWith(typed)) return 1;
  if (own.includes(typed)) return 2;
  if (words.every((word) => own.includes(word))) return 3;
  const all = [own, description, ...keywords].join(' ').toLowerCase();
  return words.every((word) => all.includes(word)) ? 4 : NO_MATCH;
}
