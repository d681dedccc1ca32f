/** The cost of a query, on the wire. */

import { z } from 'zod';
import { derivedProjectionSchema } from './fork-schemas.js';
import { count } from './schemas.js';

const { strata, rules } = derivedProjectionSchema.shape;

/** The cost of a query or derive if nothing is cached. */
export const queryProfileSchema = z
  .object({
    search: z
      .object({
        ms: z.number().describe('Time inside the search, once all that it reads has been evaluated.'),
        rowsVisited: count.describe('Rows that its loops came by.'),
        matches: count.optional().describe('Times that its conditions held; absent where it is one value.'),
        joinOrder: z.string().describe('How its plan finds its rows, the outermost first.'),
      })
      .optional()
      .describe('The query itself. A derive has none: it is one of the rules.'),
    strata,
    rules,
  })
  .meta({ id: 'QueryProfile' });
export type QueryProfile = z.infer<typeof queryProfileSchema>;
