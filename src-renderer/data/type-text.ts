/** A type of the served schema as it is written in a module. */

import type { WireType } from '../../src-runtime/api/schemas.js';
import { shortName } from './locations.js';

export function typeText(type: WireType): string {
  switch (type.kind) {
    case 'scalar':
      return type.name;
    case 'optional':
      return `${typeText(type.of)}?`;
    case 'list':
      return `[${typeText(type.of)}]`;
    case 'record':
      return `{ ${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')} }`;
    default:
      return shortName(type.path);
  }
}
