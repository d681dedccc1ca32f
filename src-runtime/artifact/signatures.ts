/** The form of everything in an artifact but its bodies, as Zod schemas. */

import { z } from 'zod';

export const typeSchema: z.ZodType = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('scalar'), name: z.enum(['Bool', 'Int', 'Decimal', 'Text', 'Date', 'DateTime']) }),
    z.object({ kind: z.literal('enum'), path: z.string() }),
    z.object({ kind: z.literal('class'), path: z.string() }),
    z.object({ kind: z.literal('extern'), path: z.string() }),
    z.object({ kind: z.literal('optional'), of: typeSchema }),
    z.object({ kind: z.literal('list'), of: typeSchema }),
    z.object({ kind: z.literal('record'), fields: z.array(z.object({ name: z.string(), type: typeSchema })) }),
  ]),
);

const node = z.looseObject({ op: z.string() });

/** A malformed type fails only its own declaration. */
const body = z.unknown();

const position = z.object({ line: z.int(), column: z.int(), offset: z.int() });
export const span = z.object({ file: z.string(), start: position, end: position });

const declaration = { path: z.string(), public: z.boolean(), doc: z.string().optional(), span };

const field = z.object({
  name: z.string(),
  path: z.string(),
  doc: z.string().optional(),
  type: typeSchema,
  unique: z.boolean(),
  refinement: node.optional(),
  default: node.optional(),
  navigation: z
    .object({ relation: z.string(), own: z.int().nonnegative(), read: z.int().nonnegative(), many: z.boolean() })
    .optional(),
  span,
});

const parameter = z.object({
  name: z.string(),
  type: typeSchema,
  keeps: z.enum(['least', 'greatest']).optional(),
  doc: z.string().optional(),
  refinement: node.optional(),
  default: node.optional(),
});

const rule = { ...declaration, parameters: z.array(parameter), body };

const schema = z.object({
  enums: z.array(
    z.object({ ...declaration, members: z.array(z.object({ name: z.string(), doc: z.string().optional() })) }),
  ),
  concepts: z.array(z.object({ ...declaration, parent: z.string().nullable(), fields: z.array(field) })),
  relations: z.array(
    z.object({
      ...declaration,
      endpoints: z
        .array(z.object({ name: z.string(), type: typeSchema, functional: z.boolean(), doc: z.string().optional() }))
        .min(1),
    }),
  ),
  externTypes: z.array(z.object(declaration)),
  context: z.array(z.object({ name: z.string(), type: typeSchema, module: z.string(), doc: z.string().optional() })),
});

export const artifactSchema = z.object({
  compiler: z.string(),
  modules: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      doc: z.string().optional(),
      uses: z.array(z.string()).optional(),
    }),
  ),
  schemaHash: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lowercase hex'),
  schema,
  individuals: z.array(
    z.object({
      ...declaration,
      concept: z.string(),
      fields: z.array(z.object({ field: z.string(), value: z.json() })),
    }),
  ),
  facts: z.array(z.object({ relation: z.string(), tuple: z.array(z.json()), span })),
  rules: z.array(z.object(rule)),
  defines: z.array(z.object({ ...rule, parameters: z.array(parameter).length(1) })),
  checks: z.array(
    z.object({ ...rule, severity: z.enum(['blocking', 'warning']), builtIn: z.boolean(), message: node }),
  ),
  queries: z.array(z.object({ ...declaration, parameters: z.array(parameter), result: typeSchema, body })),
  mutations: z.array(z.object({ ...declaration, parameters: z.array(parameter), result: typeSchema.nullable(), body })),
  functions: z.array(z.object({ ...declaration, parameters: z.array(parameter), result: typeSchema, body })),
  sources: z.array(z.object({ file: z.string(), text: z.string() })).optional(),
});
