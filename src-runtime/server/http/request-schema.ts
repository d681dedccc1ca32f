/**
 * Validates the parts of a request against the schemas of its route. An issue names its JSON path, what was expected there and what
 * was received.
 */

import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import type { ApiError } from '../../api/errors.js';
import { jsonPath, jsonWords } from '../../base/json-words.js';
import { didYouMean } from '../../base/nearest.js';
import { badRequest } from './envelope.js';
import { firstIssues, ISSUES_MAX, isLarge } from './first-issues.js';

/** Compiles a validator with the first request that needs it. Compiling all of them takes a tenth of a start. */
export const compileRequestSchema: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = PARTS[httpPart ?? 'body'] ?? 'request';
  // Generated code accepts valid data. The schema itself reports the issues of the rest.
  let made: ReturnType<typeof z.compile<typeof schema>> | undefined;
  return (data: unknown) => {
    made ??= z.compile(schema);
    const compiled = made;
    if (part === 'body' && isLarge(data) && !compiled.validate(data)) {
      return { error: misfit(part, schema, firstIssues(schema, data), data) };
    }
    const parsed = compiled.safeParse(data);
    return parsed.success ? { value: parsed.data } : { error: misfit(part, schema, parsed.error.issues, data) };
  };
};

const PARTS: Readonly<Record<string, string>> = { body: 'body', querystring: 'query string', params: 'path' };

export interface Misfit {
  readonly path: string;
  /** Without the path: `expected a string, got 5`. */
  readonly message: string;
}

function misfit(part: string, schema: z.ZodType, issues: readonly z.core.$ZodIssue[], data: unknown): ApiError {
  if (data === null) {
    return badRequest(`The ${part} is empty; send a JSON object as "content-type: application/json".`, { path: '$' });
  }
  const misfits = misfitsIn(schema, issues, data);
  const [first = { path: '$', message: 'not as expected' }, ...others] = misfits;
  const more = others.length === 0 ? '' : `, and ${moreWords(others.length)}`;
  return badRequest(`The ${part} does not fit the route: ${misfitWords(first)}${more}.`, {
    path: first.path,
    issues: misfits,
  });
}

function moreWords(count: number): string {
  if (count < ISSUES_MAX - 1) return `${count} more; details.issues lists them`;
  return `at least ${count} more; details.issues lists the first ${ISSUES_MAX}`;
}

/** The issues of the data, at most a hundred. */
export function misfitsIn(schema: z.ZodType, issues: readonly z.core.$ZodIssue[], data: unknown): readonly Misfit[] {
  return issues
    .slice(0, ISSUES_MAX)
    .flatMap((issue) => misfitsOf(issue, schema, data))
    .slice(0, ISSUES_MAX);
}

function misfitsOf(issue: z.core.$ZodIssue, schema: z.ZodType, data: unknown): Misfit[] {
  if (issue.code === 'unrecognized_keys') {
    const known = membersAt(schema, issue.path);
    const expected = known.length === 0 ? 'expected none' : `expected ${known.join(', ')}`;
    return issue.keys.slice(0, ISSUES_MAX).map((key) => ({
      path: jsonPath([...issue.path, key]),
      message: `unknown key${didYouMean(key, known).replace(/\?$/, '') || `; ${expected}`}`,
    }));
  }
  if (issue.code === 'invalid_key') {
    const needed = issue.issues.map(({ message }) => message).join(', ');
    return [{ path: jsonPath(issue.path), message: `the name ${needed}` }];
  }
  const value = valueAt(data, issue.path);
  const isMadeOfOthers = issue.code !== 'invalid_type' && typeof value === 'object';
  const received = isMadeOfOthers ? '' : `, got ${jsonWords(value)}`;
  return [{ path: jsonPath(issue.path), message: requirementOf(issue) + received }];
}

/** The message with its path: `expected a string, got 5 ($.path)`. */
export function misfitWords({ path, message }: Misfit): string {
  return `${message} (${path})`;
}

function requirementOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return issue.message;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Readonly<Record<PropertyKey, unknown>>)[key], data);
}

/** The members of the object schema at a path. */
function membersAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return membersAt(schema.def.innerType, path);
  }
  const [key, ...rest] = path;
  if (schema instanceof z.ZodArray && key !== undefined) return membersAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (key === undefined) return Object.keys(schema.shape);
  const member: z.core.$ZodType | undefined = schema.shape[String(key)];
  return member === undefined ? [] : membersAt(member, rest);
}
