/** Checks each response of a test against the OpenAPI document. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import pino from 'pino';
import { buildServer } from '../build-server.js';
import type { ApiDocument, Operation } from '../http/api-document.js';
import { createModuleLoader } from '../modules/loader.js';
import { DEFAULT_GRANT, DEFAULT_LIMITS } from '../options.js';
import { createFakeRuntime } from './fake-runtime.js';

export interface RecordedResponse {
  readonly method: string;
  /** With or without a query string. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly requestId: string | null;
  readonly text: string;
}

/** Throws if a response does not match the document. Responses without a body and files of the page are not checked. */
export async function checkContract(response: RecordedResponse): Promise<void> {
  const { method, path, status, contentType, requestId, text } = response;
  if (method === 'HEAD' || contentType.startsWith('text/event-stream')) return;
  const { document, validatorOf } = await contract();
  const pattern = patternOf(document, path.split(/[?#]/, 1)[0] ?? '');
  const said = `${method} ${path} answered ${status}`;
  if (pattern === undefined && status < 400) return;
  const operation = pattern === undefined ? undefined : document.paths[pattern]?.[method.toLowerCase()];
  const [type = ''] = contentType.split(';', 1);
  if (type !== 'application/json' && operation?.responses[status]?.content?.[type] !== undefined) return;
  if (contentType !== 'application/json; charset=utf-8') throw new Error(`${said} as "${contentType}"`);
  const { name, schema } = responseSchema(operation, status, `${method} ${pattern}`);
  const body: unknown = JSON.parse(text);
  const validate = validatorOf(name, schema);
  if (!validate(body)) {
    const issues = validate.errors?.map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
    throw new Error(
      `${said} with a body that ${name} does not describe:\n${issues?.join('\n')}\n${text.slice(0, 2_000)}`,
    );
  }
  if (
    (body as { requestId?: string }).requestId !== undefined &&
    requestId !== (body as { requestId: string }).requestId
  )
    throw new Error(`${said} with the header x-request-id "${requestId}": ${text.slice(0, 200)}`);
}

interface Contract {
  readonly document: ApiDocument;
  validatorOf(name: string, schema: object): ValidateFunction;
}

let known: Promise<Contract> | undefined;

/** The document is the same for every server. */
export function contract(): Promise<Contract> {
  known ??= readDocument().then((document) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    // Not the whole document: the `$id` of an individual in an example would be taken for that of a schema.
    ajv.addSchema({ components: document.components }, 'api');
    const compiled = new Map<string, ValidateFunction>();
    return {
      document,
      validatorOf(name, schema) {
        const validate = compiled.get(name) ?? ajv.compile(absolute(schema));
        compiled.set(name, validate);
        return validate;
      },
    };
  });
  return known;
}

async function readDocument(): Promise<ApiDocument> {
  const runtime = createFakeRuntime();
  const app = await buildServer(runtime, createModuleLoader(runtime, undefined), {
    host: '127.0.0.1',
    token: '',
    grant: DEFAULT_GRANT,
    furtherTokens: [],
    limits: DEFAULT_LIMITS,
    adhoc: true,
    page: undefined,
    version: '0.0.0',
    logRequests: 0,
    backup: async function* () {},
    log: pino({ level: 'silent' }),
  });
  const document = structuredClone(app.swagger()) as unknown as ApiDocument;
  await app.close();
  return document;
}

/** Converts references within the document to references from outside. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/')) as object;
}

const ENVELOPE = { $ref: '#/components/schemas/ErrorEnvelope' };

function responseSchema(operation: Operation | undefined, status: number, name: string) {
  if (operation === undefined) {
    if (status < 400) throw new Error(`${name} is not in the document, and answered ${status}`);
    return { name: 'ErrorEnvelope', schema: ENVELOPE };
  }
  const response = operation.responses[status] ?? (status >= 400 ? operation.responses['default'] : undefined);
  const schema = response?.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`The document has no ${status} of ${name}`);
  return { name: status >= 400 ? 'ErrorEnvelope' : `${name} ${status}`, schema };
}

/** The pattern in the document that matches a path. As in the router, the one with more literal segments wins. */
function patternOf({ paths }: ApiDocument, path: string): string | undefined {
  const segments = path.split('/');
  const literals = (pattern: string) => pattern.split('/').filter((part) => !part.startsWith('{')).length;
  return Object.keys(paths)
    .filter((pattern) => {
      const parts = pattern.split('/');
      return (
        parts.length === segments.length &&
        parts.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
      );
    })
    .sort((left, right) => literals(right) - literals(left))[0];
}
