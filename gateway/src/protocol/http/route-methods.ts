/** The methods of each registered path. A known path with another method gets a 405, not 404. */
export interface RouteMethods {
  add(pattern: string, methods: string | readonly string[]): void;
  /** Returns the methods in alphabetical order, and none for an unknown path. */
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

/** Supports `:name` for one segment and `*` for the rest. The gateway's routes use nothing else. */
function compile(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`);
}
