/** The callable or test at the cursor, to open in Invoke or Tests. */

import type { OutlineItem } from '../../../../src-runtime/language/service/index.js';
import { invokeLocation, testsLocation } from '../../../model/facts/locations.js';
import { testKey } from '../../../model/facts/test-runs.js';
import { type Naming, namingOf } from './explain-target.js';

export type RunTarget =
  | { readonly kind: 'call'; readonly to: string }
  /** With the key under which its results are kept. */
  | { readonly kind: 'test'; readonly to: string; readonly test: string };

/** Undefined if the item cannot be called or tested. */
export function runTargetOf(
  { module }: Naming,
  { kind, name, public: isPublic }: Pick<OutlineItem, 'kind' | 'name' | 'public'>,
): RunTarget | undefined {
  if (module === undefined) return undefined;
  if (kind === 'test') {
    const test = testKey({ module, name });
    return { kind: 'test', to: testsLocation(test), test };
  }
  if (!isPublic || (kind !== 'query' && kind !== 'mutation' && kind !== 'fn')) return undefined;
  return { kind: 'call', to: invokeLocation(`${module}::${name}`) };
}

/** For the item around the offset. */
export function runTargetAt(source: string, outline: readonly OutlineItem[], offset: number): RunTarget | undefined {
  const enclosing = outline.find(({ span }) => span.start.offset <= offset && offset <= span.end.offset);
  return enclosing === undefined ? undefined : runTargetOf(namingOf(source), enclosing);
}
