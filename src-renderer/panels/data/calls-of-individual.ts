/** The calls that take an individual as argument. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { shortName } from '../../model/facts/locations.js';

export interface CallWithIndividual {
  readonly path: string;
  readonly parameter: string;
  /** `sign as tenant`, to distinguish several parameters of one call. */
  readonly words: string;
}

export interface CallsOfIndividual {
  readonly mutations: CallWithIndividual[];
  readonly queries: CallWithIndividual[];
}

/** For all public callables: each parameter whose class includes the individual. */
export function callsOfIndividual(
  { mutations, queries }: Pick<ServedSchema, 'mutations' | 'queries'>,
  classes: readonly string[],
): CallsOfIndividual {
  const calls = (all: ServedSchema['mutations'] | ServedSchema['queries']): CallWithIndividual[] =>
    all
      .filter((callable) => callable.public)
      .flatMap(({ path, parameters }) =>
        parameters
          .filter(({ type }) => classes.includes(classOf(type) ?? ''))
          .map(({ name }) => ({ path, parameter: name, words: `${shortName(path)} as ${name}` })),
      );
  return { mutations: calls(mutations), queries: calls(queries) };
}

function classOf(type: WireType): string | undefined {
  if (type.kind === 'optional') return classOf(type.of);
  return type.kind === 'class' ? type.path : undefined;
}
