/** Ids of the page's requests: no other page has them, and none of them comes twice. */

/** `crypto.randomUUID` is only there where the page came over a safe connection. */
export function createOnceIds(): () => string {
  const page = crypto.getRandomValues(new Uint32Array(3)).join('-');
  let count = 0;
  return () => {
    count += 1;
    return `${page}-${count}`;
  };
}
