/** The functions and operators of lists. Places count from 0. */

import type { Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { comparison, type OrderSchema } from '../values/compare.js';
import type { Value } from '../values/value.js';

type List = readonly Value[];

/** Elements of a list that a module makes, at most. */
const ELEMENTS_MAX = 1_000_000;

/** The function for lists with elements of this type, or undefined if none has the name. */
export function listFunction(
  schema: OrderSchema,
  name: string,
  element: Type,
): ((...args: never[]) => Value) | undefined {
  switch (name) {
    case 'length':
      return (list: List) => list.length;
    case 'first':
      return (list: List) => list[0] ?? null;
    case 'last':
      return (list: List) => list.at(-1) ?? null;
    case 'elementAt':
      return (list: List, at: number) => list[at] ?? null;
    case 'append':
      return (list: List, value: Value) => limited([...list, value]);
    case 'joinLists':
      return (...lists: List[]) => limited(lists.flat());
    case 'slice':
      return (list: List, from: number, to: number) => list.slice(Math.max(from, 0), Math.max(to, 0));
    case 'contains': {
      const compare = comparison(schema, element);
      return (list: List, wanted: Value) => list.some((value) => compare(value, wanted) === 0);
    }
    default:
      return undefined;
  }
}

function limited(list: List): List {
  if (list.length <= ELEMENTS_MAX) return list;
  throw new EvaluationFault('fault', `a list of more than ${ELEMENTS_MAX.toLocaleString('en')} elements`);
}
