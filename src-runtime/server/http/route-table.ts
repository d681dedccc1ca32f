/** Which methods a path has: the router knows a path only together with its method, and 405 wants to know them apart. */

export interface RouteTable {
  add(pattern: string, methods: string | readonly string[]): void;
  /** The methods of every route that this path fits, sorted; empty where there is none. */
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

/** As the router reads it. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Patterns are literal segments and `:name`, which fits any segment that is not empty. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => {
    const segment = segments[index];
    return part.startsWith(':') ? segment !== '' : part === segment;
  });
}
