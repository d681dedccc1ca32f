/** Filters and ranks palette actions: an action must have every typed word. */

interface Findable {
  readonly label: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
}

export interface PaletteGroup<A extends Findable> {
  readonly group: string;
  readonly actions: readonly A[];
}

/** Groups stay together, and the group of the best match comes first. `actionsMax` limits all groups together. */
export function matchingActions<A extends Findable>(
  groups: readonly PaletteGroup<A>[],
  query: string,
  actionsMax: number,
): PaletteGroup<A>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = groups
    .flatMap(({ group, actions }) => actions.map((action) => ({ group, action, rank: rankOf(action, words) })))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, actionsMax);
  const found = new Map<string, A[]>();
  for (const { group, action } of ranked) found.set(group, [...(found.get(group) ?? []), action]);
  return [...found].map(([group, actions]) => ({ group, actions }));
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
