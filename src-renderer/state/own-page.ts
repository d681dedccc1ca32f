/** Whether a page is still there: what it has left undone is another one's to end only once it is gone. */

/** How long a page that is left may take to be gone. */
const LEAVING_MS = 2_000;

/** Held as long as the page is there; undefined where the browser has no such thing, as over plain HTTP from elsewhere. */
const locks: LockManager | undefined = typeof navigator === 'undefined' ? undefined : navigator.locks;

export const ownPage = `entail.page.${Math.random()}`;
void locks?.request(ownPage, () => new Promise(() => {}));

/** Undefined where the browser does not tell. */
export async function isGone(page: string): Promise<boolean | undefined> {
  if (locks === undefined) return undefined;
  try {
    return await locks.request(page, { signal: AbortSignal.timeout(LEAVING_MS) }, () => true);
  } catch {
    return false;
  }
}
