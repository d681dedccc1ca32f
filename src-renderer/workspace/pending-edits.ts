/** Renames and formattings that the compiler has not returned yet. A save waits for them. */

const pending = new Set<Promise<unknown>>();

export async function trackEdit<T>(edit: Promise<T>): Promise<T> {
  pending.add(edit);
  try {
    return await edit;
  } finally {
    pending.delete(edit);
  }
}

/** Resolves once every pending edit has succeeded or failed. */
export async function pendingEditsSettled(): Promise<void> {
  await Promise.allSettled(pending);
}
