/**
 * What does not fit in a large document. Zod makes an issue for each place, which of a body that fits nowhere are more than its bytes, and take
 * the memory of the server; here the first hundred are looked for, part by part.
 */

import { z } from 'zod';

export const ISSUES_MAX = 100;

/** Of documents with more values only the first issues are looked for. */
const VALUES_FEW = 10_000;

export function isLarge(data: unknown): boolean {
  return valuesLeft(data, VALUES_FEW) < 0;
}

/** Of so many, those that are left when the values in it are taken off; the rest is not counted where they do not suffice. */
function valuesLeft(data: unknown, before: number): number {
  let left = before - 1;
  if (typeof data !== 'object' || data === null) return left;
  for (const name in data) {
    if (left < 0) break;
    left = valuesLeft((data as Readonly<Record<string, unknown>>)[name], left);
  }
  return left;
}

/** None where it fits. What a list or an object breaks as a whole is told where each of its parts fits. */
export function firstIssues(schema: z.core.$ZodType, data: unknown): z.core.$ZodIssue[] {
  if (z.core.validate(schema, data)) return [];
  const found: z.core.$ZodIssue[] = [];
  for (const { part, value, path } of partsOf(schema, data)) {
    for (const issue of firstIssues(part, value)) found.push({ ...issue, path: [...path, ...issue.path] });
    if (found.length >= ISSUES_MAX) return found.slice(0, ISSUES_MAX);
  }
  if (found.length > 0) return found;
  const { error } = z.core.safeParse(schema, data);
  return error?.issues ?? [];
}

interface Part {
  readonly part: z.core.$ZodType;
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/** What can be looked at by itself. */
function* partsOf(schema: z.core.$ZodType, data: unknown): Generator<Part> {
  if (typeof data !== 'object' || data === null) return;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    yield { part: schema.def.innerType, value: data, path: [] };
  } else if (schema instanceof z.ZodArray && Array.isArray(data)) {
    for (const [at, value] of data.entries()) yield { part: schema.element, value, path: [at] };
  } else if (schema instanceof z.ZodRecord && Object.keys(data).length > 1) {
    for (const [name, value] of Object.entries(data)) yield { part: schema, value: { [name]: value }, path: [] };
  } else if (schema instanceof z.ZodObject) {
    for (const [name, value] of Object.entries(data)) {
      if (Object.hasOwn(schema.shape, name)) yield { part: schema.shape[name], value, path: [name] };
    }
  }
}
