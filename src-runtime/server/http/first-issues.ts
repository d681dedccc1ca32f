/**
 * The first issues of a large document. Zod collects every issue of a body. For a large body that fits nowhere, the issues take more
 * memory than the server has. This checks the document part by part, and stops after a hundred issues.
 */

import { z } from 'zod';

export const ISSUES_MAX = 100;

/** Documents with more values are checked part by part. */
const VALUES_FEW = 10_000;

export function isLarge(data: unknown): boolean {
  return valuesLeft(data, VALUES_FEW) < 0;
}

/** `before` minus the number of values in `data`. Stops counting below zero. */
function valuesLeft(data: unknown, before: number): number {
  let left = before - 1;
  if (typeof data !== 'object' || data === null) return left;
  for (const name in data) {
    if (left < 0) break;
    left = valuesLeft((data as Readonly<Record<string, unknown>>)[name], left);
  }
  return left;
}

/** Empty if the document fits. Issues of a list or object as a whole are reported if each of its parts fits. */
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

/** The parts that can be checked separately. */
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
