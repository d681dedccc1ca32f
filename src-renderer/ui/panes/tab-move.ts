/** Where a key leads in a row of tabs: round and round with the arrows, to either end with Home and End. */

export function tabMove(key: string, at: number, count: number): number | undefined {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[key];
  return to === undefined || count === 0 ? undefined : (to + count) % count;
}
