/** Parts of the page that are loaded when they are first shown. */

import { isSilent, queryClient } from './query-client.js';

/** While the server does not answer, the part is waited for; where it answers and has no such part, the load fails. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let isAnswered = false; ; ) {
    try {
      return await load();
    } catch (error) {
      if (isAnswered) throw error;
      await queryClient.refetchQueries({ queryKey: ['health'] });
      isAnswered = !isSilent();
      if (!isAnswered) await answer();
    }
  }
}

function answer(): Promise<void> {
  return new Promise((resolve) => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (isSilent()) return;
      stop();
      resolve();
    });
  });
}
