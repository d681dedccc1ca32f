/** Detects requests of another tenant, including no tenant. */

import { expect, it } from 'vitest';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { otherTenantOf } from './request-tenant.js';

const schemaOf = (...context: Partial<ServedSchema['context'][number]>[]) => ({ context }) as unknown as ServedSchema;
const OPTIONAL = schemaOf({ name: 'tenantId', required: false });
const REQUIRED = schemaOf({ name: 'tenantId', required: true });

it('returns the tenant if it differs, or empty for no tenant if the module permits that', () => {
  const other = (tenant: string | undefined, schema: ServedSchema, shown: string | undefined, fork?: string) =>
    otherTenantOf({ ...(tenant !== undefined && { tenant }), ...(fork !== undefined && { fork }) }, schema, shown);
  expect(other('north', OPTIONAL, 'south', 'main')).toBe('north');
  expect(other('north', OPTIONAL, undefined, 'main')).toBe('north');
  expect(other('north', OPTIONAL, 'north', 'main')).toBeUndefined();
  expect(other(undefined, OPTIONAL, 'south', 'main')).toBe('');
  expect(other(undefined, OPTIONAL, 'south')).toBeUndefined();
  expect(other(undefined, REQUIRED, 'south', 'main')).toBeUndefined();
  expect(other('north', schemaOf(), 'south', 'main')).toBeUndefined();
});
