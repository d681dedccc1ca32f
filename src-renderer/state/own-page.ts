/** Whether another page is still open. Its unfinished work may be taken over only after it has closed. */

/** How long a page may take to close. */
const LEAVING_MS = 2_000;

/** Each page holds a lock while it is open. Undefined without the API, as on plain HTTP from another machine. */
const locks: LockManager | undefined = typeof navigator === 'undefined' ? undefined : navigator.locks;

export const ownPage = `entail.page.${Math.random()}`;
void locks?.request(ownPage, () => new Promise(() => {}));

/** Undefined if the browser has no locks. */
export async function isClosed(page: string): Promise<boolean | undefined> {
  if (locks === undefined) return undefined;
  try {
    return await locks.request(page, { signal: AbortSignal.timeout(LEAVING_MS) }, () => true);
  } catch {
    return false;
  }
}
