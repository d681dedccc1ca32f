/** Renames and formattings that the compiler has not returned yet. A save waits for them. */

const underWay = new Set<Promise<unknown>>();

export async function asAskedEdit<T>(edit: Promise<T>): Promise<T> {
  underWay.add(edit);
  try {
    return await edit;
  } finally {
    underWay.delete(edit);
  }
}

/** Resolves once every pending edit has succeeded or failed. */
export async function askedEditsDone(): Promise<void> {
  await Promise.allSettled(underWay);
}
