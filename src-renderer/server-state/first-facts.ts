/** What the frame of every panel shows of the module's facts, asked for while the page is being made. */

import type { QueryClient } from '@tanstack/react-query';
import { currentFork, placeContext } from '../model/calls/place.js';
import { checkStatesAt } from './checks.js';
import { forksIn } from './forks.js';
import { isSchemaKnown } from './queries.js';
import { TESTS } from './tests.js';

/** Where it is known what the module requires of such requests. What fails is told by whoever shows it. */
export async function askFirstFacts(client: QueryClient): Promise<void> {
  if (!isSchemaKnown(client)) return;
  const context = placeContext.get();
  await Promise.all([
    client.prefetchQuery(checkStatesAt({ context, fork: currentFork.get() })),
    client.prefetchQuery(forksIn(context)),
    client.prefetchQuery(TESTS),
  ]);
}
