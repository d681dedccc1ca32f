/** A type of the served schema in Entail syntax. */

import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import type { Named } from './enclosing-module.js';
import { shortName } from './locations.js';

export function typeText(type: WireType, named: Named = shortName): string {
  switch (type.kind) {
    case 'scalar':
      return type.name;
    case 'optional':
      return `${typeText(type.of, named)}?`;
    case 'list':
      return `[${typeText(type.of, named)}]`;
    case 'record':
      return `{ ${type.fields.map((field) => `${field.name}: ${typeText(field.type, named)}`).join(', ')} }`;
    default:
      return named(type.path);
  }
}
