/** Lists the variables of each rail, and which of them are missing. It reads no values. */
import type { RailSetup } from '../../domain/rails/rail-setup.ts';
import { missingOf, type Surroundings } from '../../foundation/variables.ts';
import { RAILS } from '../../rails/registry.ts';

/** Returns the rails with a provider, in the registry's order. */
export function railSetupsOf({ variables: given, textOf }: Surroundings): readonly RailSetup[] {
  return Object.values(RAILS).flatMap(({ name, isOnWith, needed, variables }) => {
    if (isOnWith === null) return [];
    const missing = new Set(missingOf([isOnWith, ...needed], textOf).flat());
    const stateOf = (variable: string) => {
      if ((given[variable] ?? '') !== '') return 'set';
      if (missing.has(variable)) return 'missing';
      return textOf(variable) === null ? 'optional' : 'default';
    };
    return [
      {
        name,
        variables: Object.entries(variables).map(([variable, { meaning, accepts }]) => ({
          name: variable,
          meaning,
          accepts,
          state: stateOf(variable),
        })),
      },
    ];
  });
}
