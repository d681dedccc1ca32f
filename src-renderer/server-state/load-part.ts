/** Loads parts of the page when they are first shown. */

import { isSilent, queryClient } from './query-client.js';

/** Waits while the server does not answer. If it answers and the part is missing, the load fails. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let isAnswered = false; ; ) {
    try {
      return await load();
    } catch (error) {
      if (isAnswered) throw error;
      await queryClient.refetchQueries({ queryKey: ['health'] });
      isAnswered = !isSilent();
      if (!isAnswered) await firstResponse();
    }
  }
}

function firstResponse(): Promise<void> {
  return new Promise((resolve) => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (isSilent()) return;
      stop();
      resolve();
    });
  });
}
