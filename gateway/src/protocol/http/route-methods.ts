/** Which methods each registered path knows, so that a known path with another method is 405 and not 404. */
export interface RouteMethods {
  add(pattern: string, methods: string | readonly string[]): void;
  /** In the order of the alphabet; empty for a path that no route has. */
  of(path: string): readonly string[];
}

export function createRouteMethods(): RouteMethods {
  const routes = new Map<string, { matches: RegExp; methods: Set<string> }>();
  return {
    add(pattern, methods) {
      const route = routes.get(pattern) ?? { matches: compile(pattern), methods: new Set() };
      for (const method of [methods].flat()) route.methods.add(method);
      routes.set(pattern, route);
    },
    of(path) {
      const found = [...routes.values()].filter(({ matches }) => matches.test(path));
      return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
    },
  };
}

/** Understands `:name` for one segment and `*` for the rest, which is all that the gateway's routes use. */
function compile(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`);
}
