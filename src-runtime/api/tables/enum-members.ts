/** Checks names, typed or from a file, against the members of their enum. */

import { didYouMean } from '../../base/nearest.js';
import type { ServedSchema } from '../schemas/module-schemas.js';

export function membersOf(path: string, enums: ServedSchema['enums']): readonly string[] {
  return enums.find((each) => each.path === path)?.members.map(({ name }) => name) ?? [];
}

/** What is wrong with the name; undefined for a member, and for an unknown enum. */
export function misfit(path: string, name: string, enums: ServedSchema['enums']): string | undefined {
  const names = membersOf(path, enums);
  if (names.length === 0 || names.includes(name)) return undefined;
  const meant = didYouMean(name, names) || `; there ${names.length === 1 ? 'is' : 'are'} ${listed(names)}.`;
  return `"${name}" is no ${path.slice(path.lastIndexOf(':') + 1)}${meant}`;
}

const NAMES_SHOWN = 8;

function listed(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return more > 0 ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${more} more` : names.join(', ');
}
