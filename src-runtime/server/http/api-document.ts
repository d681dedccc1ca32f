/**
 * Completes the OpenAPI document that the route schemas give: access, headers, operation names, and an example of each request and
 * response.
 */

import { FORK_HEADER, KEY_HEADER } from '../../api/headers.js';
import type { OperationDefinition } from '../../api/operations/define-operation.js';
import { OPERATIONS, pathsOf } from '../../api/operations/index.js';
import examplesJson from '../api-examples.json' with { type: 'json' };
import { LINES_CONTENT_TYPE } from './json-lines.js';

/** The parts of an OpenAPI document that this file changes. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>>; readonly securitySchemes?: object };
  readonly security?: readonly object[];
}

export interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: object;
}

interface RequestBody {
  readonly required?: boolean;
  readonly content: Content;
}

type Content = Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>>;

/** What one operation was once sent, and how it responded. */
interface Example {
  readonly request?: unknown;
  readonly response?: unknown;
}

/** A call that a test makes to record an example. Without an operation it only prepares later ones. */
export interface ExampleStep extends Example {
  /** Method and path, or `failure` for the response that every operation may give. */
  readonly operation?: string;
  readonly path: string;
}

export const EXAMPLE_STEPS: readonly ExampleStep[] = examplesJson;

const examples = new Map(EXAMPLE_STEPS.map((step) => [step.operation, step]));

const JSON_TYPE = 'application/json';

const DESCRIPTION = `
Every success body is \`{ result, requestId, moduleHash }\` and the siblings that its operation names; every failure is an
\`ErrorEnvelope\`, whose codes \`GET /v1/errors\` lists. The header \`x-request-id\` repeats the id, and keeps that of the request.

Context fields that the module declares come in headers, \`x-tenant-id\`, \`x-principal-id\` and \`x-context-foo-bar\` for a field \`fooBar\`,
or in the body's \`context\`. The fork of a request is \`main\`, or that of the path, the header \`x-fork-id\` or the body's \`fork\`.

A request with an id of its own in the header \`x-entail-once\` that was out of time is not run again when a browser sends it again by itself.
`.trim();

/** Keeps the other members of the document. */
export function completeDocument<D extends object>(document: D): D {
  const { info, paths, components, ...rest } = document as object as ApiDocument;
  const completed = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, completeOperation(method, path, operation)]),
    ),
  ]);
  return withUsedSchemas({
    ...rest,
    info: { ...info, description: DESCRIPTION },
    paths: Object.fromEntries(completed),
    components: { ...components, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  }) as object as D;
}

function completeOperation(method: string, path: string, operation: Operation): Operation {
  const definition = DEFINITIONS.get(`${method} ${path}`);
  const example = exampleOf(method, path);
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const isFailure = status === 'default';
    const shown = isFailure ? examples.get('failure')?.response : example?.response;
    const content = withExample(response.content, shown);
    return [status, { ...response, description: isFailure ? 'Any failure.' : 'Success.', ...(content && { content }) }];
  });
  const body = operation.requestBody && withOptionality(operation.requestBody);
  return {
    ...{ operationId: operationIdOf(method, path) },
    ...operation,
    ...(OPEN_PATHS.has(path) && { security: [] }),
    ...withParameters([...(operation.parameters ?? []), ...(definition ? headersOf(definition) : [])]),
    ...(body && {
      requestBody: { ...body, content: { ...withExample(body.content, example?.request), ...linesOf(definition) } },
    }),
    responses: Object.fromEntries(responses),
  };
}

/** Need no token. */
const OPEN_PATHS = new Set(['/healthz', '/readyz']);

/** The other form of a body with rows. */
function linesOf(definition: OperationDefinition | undefined): Content | undefined {
  if (definition?.takesLines !== true) return undefined;
  const description = 'The first line is the JSON body without `rows`, and each later line is a row.';
  return { [LINES_CONTENT_TYPE]: { schema: { type: 'string', description } } };
}

/** Headers that select the scope and fork. Other context fields have headers named after them. */
const [TENANT, PRINCIPAL, FORK, KEY, LAST_EVENT] = [
  headerParameter('x-tenant-id', 'The context field tenantId, which selects the scope.'),
  headerParameter('x-principal-id', 'The context field principalId.'),
  headerParameter(FORK_HEADER, 'The fork; main where it is not given.'),
  headerParameter(KEY_HEADER, 'Repeats of the request with this key, within 24 hours, have its first response.'),
  headerParameter('last-event-id', 'Of a stream: the last seq that was received.'),
] as const;

function headersOf({ path, runsOn, response, takesKey }: OperationDefinition): readonly Parameter[] {
  const isNamed = path.includes('/:fork');
  return [
    ...(runsOn === 'server' ? [] : [TENANT, PRINCIPAL]),
    ...((runsOn === 'fork' || runsOn === 'eachFork') && !isNamed ? [FORK] : []),
    ...(takesKey === true ? [KEY] : []),
    ...(response.kind === 'pageOrStream' ? [LAST_EVENT] : []),
  ];
}

/** Definitions by method and path, as the document writes them. */
const DEFINITIONS = new Map(
  Object.values<OperationDefinition>(OPERATIONS).flatMap((definition) =>
    pathsOf(definition).map((path) => {
      const address = `${definition.method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
      return [address, { ...definition, path: path as OperationDefinition['path'] }] as const;
    }),
  ),
);

function headerParameter(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

function withParameters(parameters: readonly Parameter[]): Pick<Operation, 'parameters'> {
  return parameters.length === 0 ? {} : { parameters };
}

/** A nullable body may be omitted, which JSON Schema cannot express. */
function withOptionality(body: RequestBody): RequestBody {
  const shown = body.content[JSON_TYPE];
  const { anyOf = [] } = (shown?.schema ?? {}) as { readonly anyOf?: readonly { readonly type?: string }[] };
  const [schema, ...others] = anyOf.filter(({ type }) => type !== 'null');
  if (shown === undefined || schema === undefined || others.length > 0 || anyOf.length < 2) return body;
  return { ...body, required: false, content: { ...body.content, [JSON_TYPE]: { ...shown, schema } } };
}

/** An operation on a fork in the path shares the example of the one without it. */
export function exampleOf(method: string, path: string): Example | undefined {
  const plain = path.replace('/v1/forks/{fork}/', '/v1/');
  const name = method.toUpperCase();
  return examples.get(`${name} ${path}`) ?? examples.get(`${name} ${plain}`);
}

function withExample(content: Content, example: unknown): Content;
function withExample(content: Content | undefined, example: unknown): Content | undefined;
function withExample(content: Content | undefined, example: unknown): Content | undefined {
  const shown = content?.[JSON_TYPE];
  if (shown === undefined || example === undefined) return content;
  return { ...content, [JSON_TYPE]: { ...shown, example } };
}

/** `POST /v1/forks/{fork}/query/adhoc` is `postForksForkQueryAdhoc`. */
function operationIdOf(method: string, path: string): string {
  const words = path.replace(/^\/v1\//, '').match(/[A-Za-z0-9]+/g) ?? [];
  return method + words.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1)).join('');
}

/**
 * Keeps only schemas that are referenced. Each exists in a request and a response form. If only the first is used, or both are equal,
 * it has the plain name.
 */
function withUsedSchemas(document: ApiDocument): ApiDocument {
  const { schemas } = document.components;
  const used = new Set<string>();
  const collect = (text: string): void => {
    for (const [, name = ''] of text.matchAll(REFERENCE)) {
      if (used.has(name)) continue;
      used.add(name);
      collect(JSON.stringify(schemas[name]));
    }
  };
  collect(JSON.stringify(document.paths));
  const textOf = (name: string): string => JSON.stringify(schemas[name]).replace(/Input"/g, '"');
  const nameOf = (name: string): string => {
    const plain = name.replace(/Input$/, '');
    return used.has(plain) && textOf(plain) !== textOf(name) ? name : plain;
  };
  const kept = Object.fromEntries([...used].sort().map((name) => [nameOf(name), schemas[name]]));
  const pruned = { ...document, components: { ...document.components, schemas: kept } };
  const text = JSON.stringify(pruned).replace(REFERENCE, (_all, name: string) => `"$ref":"${PREFIX}${nameOf(name)}"`);
  return JSON.parse(text) as ApiDocument;
}

const PREFIX = '#/components/schemas/';
const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;
