/** The calls that an individual can be given to. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { shortName } from '../../model/facts/locations.js';

export interface CallWithIndividual {
  readonly path: string;
  readonly parameter: string;
  /** `sign as tenant`, so that two places for it in one call are told apart. */
  readonly words: string;
}

export interface CallsOfIndividual {
  readonly mutations: CallWithIndividual[];
  readonly queries: CallWithIndividual[];
}

/** Of what callers may call: each parameter whose class is among those of the individual. */
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
