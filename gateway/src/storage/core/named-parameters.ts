/** Names the parameters of a statement. The text of the statement has their positions, as PostgreSQL requires. */

interface NamedParameters<Name extends string> {
  /** `$1` for the first name. */
  readonly position: Readonly<Record<Name, string>>;
  valuesOf(values: Readonly<Record<Name, unknown>>): readonly unknown[];
}

export function nameParameters<Name extends string>(...names: readonly Name[]): NamedParameters<Name> {
  const positions = names.map((name, index) => [name, `$${index + 1}`] as const);
  return {
    position: Object.fromEntries(positions) as Record<Name, string>,
    valuesOf: (values) => names.map((name) => values[name]),
  };
}
