/** In a query string: of which fields that both sides of a promotion have changed the value of the parent is kept. */

import { z } from 'zod';
import type { KeptOfParent } from '../../world/contract/requests.js';

const pairs = z.array(z.tuple([z.string(), z.string()]));

export const keepShape = {
  keep: z
    .string()
    .refine((text) => keptOfParent(text) !== undefined, {
      error:
        'must be "parent" or a JSON array of pairs of an individual and a field, such as [["#i3", "lease::Lease.rent"]]',
    })
    .optional()
    .describe(
      'Conflicts in which the value of the parent is kept: `parent` for all of them, or as JSON pairs of an individual and a field.',
    ),
};

/** Undefined where it is neither. */
export function keptOfParent(text: string | undefined): KeptOfParent | undefined {
  if (text === undefined) return [];
  if (text === 'parent') return 'all';
  try {
    return pairs.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
