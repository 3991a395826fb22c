/** Lists the variables of each rail, and which of them are missing. It reads no value. */
import type { RailSetup } from '../../domain/monitoring/rail-setup.ts';
import type { Rule, Surroundings, Variables } from '../../foundation/variables.ts';
import { RAILS } from '../../rails/registry.ts';

interface AnyRail {
  readonly name: string;
  readonly isOnWith: string | null;
  readonly variables: Variables;
  readonly rules: readonly Rule<never>[];
}

/** The rails with a provider, in the registry's order. */
export function railSetupsOf(surroundings: Surroundings): readonly RailSetup[] {
  return Object.values<AnyRail>(RAILS).flatMap((rail) => {
    if (rail.isOnWith === null) return [];
    const needed = neededBy(rail, rail.isOnWith, surroundings);
    const variables = Object.entries(rail.variables).map(([name, { meaning, accepts }]) => {
      const isSet = (surroundings.variables[name] ?? '') !== '';
      const unset = surroundings.textOf(name) === null ? (needed.has(name) ? 'missing' : 'optional') : 'default';
      return {
        name,
        meaning,
        accepts,
        state: isSet ? ('set' as const) : (unset as 'missing' | 'optional' | 'default'),
      };
    });
    return [{ name: rail.name, variables }];
  });
}

/** The rail's own rules know what it needs, so they judge a configuration in which the rail is on. */
function neededBy({ variables, rules }: AnyRail, isOnWith: string, surroundings: Surroundings): ReadonlySet<string> {
  const off = Object.fromEntries([...Object.keys(variables), 'PUBLIC_URL', 'PORT'].map((name) => [name, null]));
  const values = { ...off, [isOnWith]: 'https://provider.example' } as never;
  const faults = rules.flatMap((rule) => rule(values, surroundings) ?? []);
  return new Set([isOnWith, ...faults.flatMap((fault) => fault.match(/\b[A-Z][A-Z\d_]+\b/g) ?? [])]);
}
