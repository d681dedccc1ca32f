/** The methods of each path, for 405. The router finds a path only together with its method. */

export interface RouteTable {
  add(pattern: string, methods: string | readonly string[]): void;
  /** The methods of all routes that match the path, sorted. */
  methodsOf(path: string): string[];
  patterns(): string[];
}

export function createRouteTable(): RouteTable {
  const routes: { readonly pattern: readonly string[]; readonly methods: readonly string[] }[] = [];
  return {
    add(pattern, methods) {
      routes.push({ pattern: pattern.split('/'), methods: typeof methods === 'string' ? [methods] : methods });
    },
    methodsOf(path) {
      const segments = path.split('/').map(decoded);
      const fitting = routes.filter(({ pattern }) => fits(pattern, segments));
      return [...new Set(fitting.flatMap(({ methods }) => methods))].sort();
    },
    patterns: () => [...new Set(routes.map(({ pattern }) => pattern.join('/')))],
  };
}

/** Decodes a segment as the router does. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A pattern consists of literal segments and `:name`, which matches any non-empty segment. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => {
    const segment = segments[index];
    return part.startsWith(':') ? segment !== '' : part === segment;
  });
}
