/** Reads the `Accept` header of a request (RFC 9110, 12.5.1). */

/**
 * The type with the highest weight, the first of several; undefined if the header names none of them or prefers JSON. Wildcards mean
 * JSON.
 */
export function acceptedType<Type extends string>(
  header: string | undefined,
  types: readonly Type[],
): Type | undefined {
  if (header === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const range of header.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(type, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const weightOf = (type: string): number => weights.get(type) ?? 0;
  const [best] = types.toSorted((left, right) => weightOf(right) - weightOf(left));
  if (best === undefined || weightOf(best) === 0 || weightOf(best) < weightOf('application/json')) return undefined;
  return best;
}
