/** The module on the wire: its declarations, its sources, and the changes of another one. */

import { z } from 'zod';
import {
  count,
  diagnosticSchema,
  factSchema,
  firingSchema,
  type JsonValue,
  jsonSchema,
  spanSchema,
  typeSchema,
} from './schemas.js';

export const moduleInfoSchema = z
  .object({
    loaded: z.boolean(),
    modules: z.array(z.object({ name: z.string(), file: z.string(), doc: z.string().optional() })),
    moduleHash: z.string(),
    schemaHash: z.string(),
    /** Present if the artifact carries sources. */
    sources: z
      .array(z.object({ file: z.string(), text: z.string() }))
      .describe('Its sources at load time; empty for an artifact without sources.'),
    loadedAt: z.string().nullable(),
    lastFailure: z
      .object({
        at: z.string(),
        code: z.string(),
        message: z.string(),
        diagnostics: z.array(diagnosticSchema).optional(),
        details: z.record(z.string(), z.unknown()).optional(),
      })
      .nullable(),
    /** The source of the module, for a reload. */
    origin: z.enum(['none', 'sources', 'artifact', 'upload']),
    held: z
      .boolean()
      .describe(
        'The server was started without files: PUT /v1/module/sources accepts any file and holds it in memory until the server stops; `whole` replaces all of them.',
      ),
  })
  .meta({ id: 'ModuleInfo' });
export type ModuleInfo = z.infer<typeof moduleInfoSchema>;
/** The description of the module without its origin. */
export type LoadedModule = Omit<ModuleInfo, 'held'>;

const parameterSchema = z.object({
  name: z.string(),
  type: typeSchema,
  doc: z.string().optional(),
  required: z.boolean(),
  /** The refinement as source text. */
  refinement: z.string().optional(),
  default: jsonSchema.optional(),
});
const declarationShape = { path: z.string(), public: z.boolean(), doc: z.string().optional(), span: spanSchema };
const endpointSchema = z.object({
  name: z.string(),
  type: typeSchema,
  functional: z.boolean(),
  keeps: z
    .enum(['least', 'greatest'])
    .optional()
    .describe('Of a derived relation: only this value is kept for each tuple of the other endpoints.'),
  doc: z.string().optional(),
});

/** The result of `GET /v1/schema`: every declaration, with typed parameters and docs. */
export const servedSchemaSchema = z
  .object({
    modules: z.array(
      z.object({
        name: z.string(),
        doc: z.string().optional(),
        uses: z
          .array(z.string())
          .optional()
          .describe('Paths of declarations that it imports from other modules and can use by their short names.'),
      }),
    ),
    enums: z.array(
      z.object({
        ...declarationShape,
        members: z.array(z.object({ name: z.string(), doc: z.string().optional() })),
      }),
    ),
    concepts: z.array(
      z.object({
        ...declarationShape,
        parent: z.string().nullable(),
        /** Inherited fields first. */
        fields: z.array(
          z.object({
            name: z.string(),
            path: z.string(),
            type: typeSchema,
            doc: z.string().optional(),
            unique: z.boolean(),
            required: z.boolean(),
            refinement: z.string().optional(),
            default: jsonSchema.optional(),
            navigation: z.object({ relation: z.string(), endpoint: z.string() }).optional(),
          }),
        ),
      }),
    ),
    relations: z.array(
      z.object({ ...declarationShape, kind: z.enum(['stored', 'derived']), endpoints: z.array(endpointSchema) }),
    ),
    defines: z.array(z.object({ ...declarationShape, class: z.string() })),
    individuals: z.array(z.object({ ...declarationShape, concept: z.string() })),
    rules: z.array(z.object({ ...declarationShape, clauses: z.array(z.object({ span: spanSchema })) })),
    checks: z.array(
      z.object({
        ...declarationShape,
        severity: z.enum(['blocking', 'warning']),
        builtIn: z.boolean(),
        message: z.string().describe('As a template: `lease {l.code} owes {owed}`.'),
        parameters: z.array(parameterSchema),
      }),
    ),
    queries: z.array(z.object({ ...declarationShape, parameters: z.array(parameterSchema), result: typeSchema })),
    mutations: z.array(
      z.object({
        ...declarationShape,
        parameters: z.array(parameterSchema),
        result: typeSchema.nullable(),
        inserts: z
          .array(z.string())
          .describe(
            'The concepts and stored relations that it may insert into, by path, including the mutations that it calls.',
          ),
        sets: z.array(z.string()).describe('The fields that it may set, including the mutations that it calls.'),
      }),
    ),
    functions: z.array(
      z.object({
        ...declarationShape,
        parameters: z.array(parameterSchema),
        result: typeSchema,
        extern: z.boolean(),
      }),
    ),
    context: z.array(
      z.object({ name: z.string(), type: typeSchema, required: z.boolean(), doc: z.string().optional() }),
    ),
  })
  .meta({ id: 'Schema' });
export type ServedSchema = z.infer<typeof servedSchemaSchema>;

export const sourceFileSchema = z.object({
  file: z.string().describe('The name in spans: relative to the common folder of all sources.'),
  text: z.string(),
});

/** An artifact from `entail build`. The compiler defines its form, which is not checked again. */
export const artifactDocumentSchema = z
  .looseObject({ format: z.string(), integrity: z.string(), schemaHash: z.string() })
  .meta({ id: 'ArtifactDocument' });
export type ArtifactDocument = z.infer<typeof artifactDocumentSchema>;

/** The server's source files; empty if it was started from an artifact, or without files. */
export const moduleSourcesSchema = z
  .object({
    files: z.array(
      sourceFileSchema.extend({
        deleted: z.literal(true).optional().describe('The file does not exist; `text` is the last that was read.'),
        unreadable: z
          .string()
          .optional()
          .describe('Why the existing file cannot be read; `text` is the last that was read.'),
      }),
    ),
  })
  .meta({ id: 'ModuleSources' });
export type ModuleSources = z.infer<typeof moduleSourcesSchema>;

const renameSchema = z
  .strictObject({
    from: z.string().describe('The name in the running module.'),
    to: z.string().describe('The name in the saved module, which declares it with the same kind.'),
  })
  .meta({
    id: 'Rename',
    description:
      'By path, as `lease::Lease.rent`: a module, concept, field, stored relation, enum, declared individual, or a member as `lease::Status.Active`. What belongs to it comes along.',
  });
export type Rename = z.infer<typeof renameSchema>;

export const saveSourcesRequestSchema = z
  .object({
    files: z.array(sourceFileSchema.strict()).min(1, 'must name a file'),
    renames: z
      .array(renameSchema)
      .optional()
      .describe('Renamed declarations, whose facts move along. Nothing is saved if a rename does not fit.'),
    whole: z
      .boolean()
      .optional()
      .describe(
        'These are all files of the module, and other files in memory are dropped. Only for a server that was started without files.',
      ),
  })
  .strict()
  .meta({ id: 'SaveSourcesRequest' });
export type SaveSourcesRequest = z.infer<typeof saveSourcesRequestSchema>;

const declarationChangeSchema = z.object({
  change: z.enum(['added', 'removed', 'changed']),
  kind: z.enum([
    'context',
    'enum',
    'concept',
    'relation',
    'individual',
    'derive',
    'define',
    'check',
    'query',
    'mutation',
    'function',
  ]),
  path: z.string(),
  public: z.boolean(),
});
export type DeclarationChange = z.infer<typeof declarationChangeSchema>;

const relationChangeSchema = z.object({
  relation: z.string(),
  kind: z.enum(['derived', 'define', 'check']),
  before: count.nullable().describe('Facts under the previous module; null if it could not be evaluated.'),
  after: count.nullable(),
  gained: count.nullable().describe('Null if there are too many facts to compare one by one.'),
  lost: count.nullable(),
  examples: z.array(factSchema.extend({ only: z.enum(['before', 'after']) })).describe('The first of each.'),
  fault: z.string().optional().describe('Why it cannot be evaluated.'),
});
export type RelationChange = z.infer<typeof relationChangeSchema>;

const remarkSchema = z.object({
  declaration: z.string(),
  remark: z.string().describe('Completes "declaration …".'),
  count: count.describe('How many individuals, violations or stored facts it concerns.'),
});
export type Remark = z.infer<typeof remarkSchema>;

/** What another module changes over the same stored facts, on `main`. */
export const moduleChangeSchema = z
  .object({
    from: z.string().describe('The hash of the previous module.'),
    to: z.string(),
    declarations: z.array(declarationChangeSchema),
    relations: z.array(relationChangeSchema).describe('Only relations whose facts differ.'),
    firings: z.array(firingSchema).describe('For checks: the first new violations.'),
    renames: z
      .array(
        renameSchema.extend({
          facts: count.describe('Stored facts under it on `main`; 0 for an enum, a member and an individual.'),
        }),
      )
      .describe('Renamed declarations, which are not listed among the changed ones.'),
    remarks: z.array(remarkSchema).describe('Notes about stored facts that block nothing.'),
    cut: z.boolean().describe('The time was up before all derived facts were compared.'),
  })
  .meta({ id: 'ModuleChange' });
export type ModuleChange = z.infer<typeof moduleChangeSchema>;

/** A stored fact that a candidate cannot represent, in the running module's form. */
export interface FactInTheWay {
  readonly fork: string;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
  /** Labels of created individuals, by id. */
  readonly names: Readonly<Record<string, string>>;
}

/** The result of a save: the sources are on disk, except for a dry run. Whether they run is separate. */
export const saveSourcesResultSchema = z
  .object({
    saved: z.boolean().describe('False for a dry run, and for a module that does not fit despite its renames.'),
    reloaded: z.boolean(),
    setAside: z
      .array(z.string())
      .optional()
      .describe('Ids of archives of scopes that the module does not fit; `entail serve --scope ID` serves one again.'),
    change: moduleChangeSchema.optional().describe('For a dry run: what a reload would change.'),
    diagnostics: z.array(diagnosticSchema),
    /** Why the sources compile but do not run; absent if `diagnostics` explain it. */
    failure: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }).optional(),
  })
  .meta({ id: 'SaveSourcesResult' });
export type SaveSourcesResult = z.infer<typeof saveSourcesResultSchema>;
