/** "Did you mean": the name nearest to a misspelt one. */

/**
 * The candidate nearest to `name`, if it is similar enough. A qualifier (before `::`) must match exactly and is not counted in the
 * similarity. Without a qualifier, `name` is compared with the last part of each candidate; with one, the last parts decide.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const local = localPart(name);
  const isQualified = local.length < name.length;
  const all = [...candidates];
  const compared = isQualified ? all : [...new Set(all.map(localPart))];
  const found = nearestText(name, compared, local.length);
  return isQualified || found === undefined
    ? found
    : all.filter((candidate) => localPart(candidate) === found).sort()[0];
}

function localPart(name: string): string {
  return name.slice(name.lastIndexOf('::') + (name.includes('::') ? 2 : 1));
}

/**
 * The candidate nearest to `name` by Damerau–Levenshtein distance (optimal string alignment, ignoring case); undefined if none is
 * within the limit: a third of `length`, at least one edit for two letters and more, and for a single letter only the other case.
 */
function nearestText(name: string, candidates: Iterable<string>, length: number): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  const farthest = length < 2 ? 0 : Math.max(1, Math.floor(length / 3));
  let bestDistance = farthest + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance || (distance === bestDistance && best !== undefined && candidate < best)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `; did you mean "x"?`, or an empty text if no candidate is near. Append it to a sentence. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const meant = nearest(name, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** The similarity of two names, ignoring case: 1 if they are equal, 0 if they have nothing in common. */
export function similarity(left: string, right: string): number {
  const longer = Math.max(left.length, right.length);
  return longer === 0 ? 1 : 1 - editDistance(left.toLowerCase(), right.toLowerCase()) / longer;
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(value);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
