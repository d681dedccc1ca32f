/** Ids of the page's requests, unique across pages. */

/** Not `crypto.randomUUID`, which is missing on plain HTTP from another machine. */
export function createOnceIds(): () => string {
  const page = crypto.getRandomValues(new Uint32Array(3)).join('-');
  let count = 0;
  return () => {
    count += 1;
    return `${page}-${count}`;
  };
}
