/** The wire forms of environments: named values for saved calls, in plain files beside the module. */

import { z } from 'zod';
import { textsByName } from './schemas.js';
import { VARIABLE_NAME } from './wire-constants.js';

const variablesSchema = textsByName(
  z.string().regex(VARIABLE_NAME, 'must be 1 to 64 letters, digits or . _ -, and begin with a letter or _'),
  z.string().max(10_000),
).describe('Texts by name; `{{name}}` in a saved call is replaced by the text.');

/** The whole content of a `*.environment.json`. */
export const environmentFileSchema = z.strictObject({
  format: z.literal('entail-environment'),
  formatVersion: z.literal(1),
  variables: variablesSchema,
});
export type EnvironmentFile = z.infer<typeof environmentFileSchema>;

/** If a file cannot be read as an environment, `problem` says why, and there are no variables. */
export const environmentSchema = z
  .object({
    name: z.string().describe('The name of the file, without `.environment.json`.'),
    revision: z.string().describe("The revision of the file's content; send it back to replace the file."),
    variables: variablesSchema,
    problem: z.string().optional(),
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof environmentSchema>;

export const environmentsSchema = z.object({ environments: z.array(environmentSchema) });
export type Environments = z.infer<typeof environmentsSchema>;

export const saveEnvironmentRequestSchema = z
  .strictObject({
    variables: variablesSchema,
    revision: z.string().nullable().describe('The revision that was read; null for a new file.'),
  })
  .meta({ id: 'SaveEnvironmentRequest' });
export type SaveEnvironmentRequest = z.input<typeof saveEnvironmentRequestSchema>;
