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
        ms: z.number().describe('Time in the search, after everything that it reads was evaluated.'),
        rowsVisited: count.describe('Rows that its loops visited.'),
        matches: count.optional().describe('How often its conditions held; absent for a single value.'),
        joinOrder: z.string().describe('How its plan finds its rows, the outermost loop first.'),
      })
      .optional()
      .describe('The query itself. Absent for a derive, which is one of the rules.'),
    strata,
    rules,
  })
  .meta({ id: 'QueryProfile' });
export type QueryProfile = z.infer<typeof queryProfileSchema>;
