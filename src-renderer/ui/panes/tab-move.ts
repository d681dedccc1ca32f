/** The tab that a key moves to: arrows cycle, Home and End jump. */

export function tabMove(key: string, at: number, count: number): number | undefined {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[key];
  return to === undefined || count === 0 ? undefined : (to + count) % count;
}
