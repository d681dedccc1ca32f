/** How to set a field: directly, or by the fact of the stored relation that it reads. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Named } from '../../../model/facts/enclosing-module.js';

/** A binary relation, and the endpoint of the individual that has the field. */
export interface Via {
  readonly relation: string;
  readonly own: 0 | 1;
}

type Field = ServedSchema['concepts'][number]['fields'][number];

/** Undefined for an own field, or one that reads a derived, non-binary or multi-valued relation. */
export function viaOf(
  { relations }: Pick<ServedSchema, 'relations'>,
  { navigation, type }: Pick<Field, 'navigation' | 'type'>,
): Via | undefined {
  if (navigation === undefined) return undefined;
  const relation = relations.find(({ path }) => path === navigation.relation);
  if (relation?.kind !== 'stored' || relation.endpoints.length !== 2) return undefined;
  if (type.kind !== 'optional' || type.of.kind !== 'class') return undefined;
  return { relation: relation.path, own: relation.endpoints[0]?.name === navigation.endpoint ? 1 : 0 };
}

/** For an individual; `next` is the name of the value, undefined to clear it. */
export function setStatements(
  one: string,
  field: string,
  via: Via | undefined,
  next: string | undefined,
  named: Named,
): readonly string[] {
  if (via === undefined) return [`set ${one}.${field} = ${next ?? 'none'}`];
  const fact = (read: string): string => {
    const members = via.own === 0 ? [one, read] : [read, one];
    return `${named(via.relation)}(${members.join(', ')})`;
  };
  return [`delete ${fact('_')}`, ...(next === undefined ? [] : [`insert ${fact(next)}`])];
}
