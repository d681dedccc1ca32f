/** Edits that the compiler was asked for, a rename or a formatting, and that have not come yet. What is saved has them. */

const underWay = new Set<Promise<unknown>>();

export async function asAskedEdit<T>(edit: Promise<T>): Promise<T> {
  underWay.add(edit);
  try {
    return await edit;
  } finally {
    underWay.delete(edit);
  }
}

/** Once none is under way, whatever came of them. */
export async function askedEditsDone(): Promise<void> {
  await Promise.allSettled(underWay);
}
