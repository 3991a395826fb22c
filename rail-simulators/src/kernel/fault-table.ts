/**
 * A simulator's faults as a table: each with its values, of which the first is the default. Only the control surface changes
 * them.
 */

/** The faults that every simulator has. */
export interface EdgeFaults {
  /** If true, the simulator drops every connection without a response, before it accepts anything. */
  down: boolean;
  /** Delays the processing of each request. */
  latency_ms: number;
  /** How many of the next requests get a 500 without being accepted. */
  answer_500: number;
}

export const NO_EDGE_FAULTS: Readonly<EdgeFaults> = { down: false, latency_ms: 0, answer_500: 0 };

type Check = (value: unknown) => boolean;

/** A fault whose values are not a list. */
export interface Ranged<Value> {
  readonly start: Value;
  readonly holds: Check;
}

export function countUpTo(most: number): Ranged<number> {
  return { start: 0, holds: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most };
}

export function textLike(start: string, shape: RegExp): Ranged<string> {
  return { start, holds: (value) => typeof value === 'string' && shape.test(value) };
}

/** A list of values, the default of a switch, or a range. */
type Definition = readonly string[] | boolean | Ranged<unknown>;
type Definitions = Readonly<Record<string, Definition>>;

type ValueOf<Defined> = Defined extends readonly (infer Value)[]
  ? Value
  : Defined extends boolean
    ? boolean
    : Defined extends Ranged<infer Value>
      ? Value
      : never;

export type ParsedFaults<Faults> = { readonly faults: Partial<Faults> } | { readonly invalidField: string };

export interface FaultTable<Faults> {
  readonly noFaults: Readonly<Faults>;
  /**
   * Validates a change of faults. Omitted faults keep their values. Unknown names are rejected, because a test that misspells
   * a fault must not pass.
   */
  readonly parse: (value: unknown) => ParsedFaults<Faults>;
}

export type FaultsOf<Table> = Table extends FaultTable<infer Faults> ? Faults : never;

const EDGE_RANGES: Definitions = { down: false, latency_ms: countUpTo(600_000), answer_500: countUpTo(1_000_000) };

export function defineFaults<const Defined extends Definitions>(
  defined: Defined,
): FaultTable<EdgeFaults & { -readonly [Name in keyof Defined]: ValueOf<Defined[Name]> }> {
  const ranges = Object.entries({ ...EDGE_RANGES, ...defined }).map(([name, one]) => [name, rangeOf(one)] as const);
  const checks = new Map(ranges);
  return {
    noFaults: Object.fromEntries(ranges.map(([name, { start }]) => [name, start])) as never,
    parse(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return { invalidField: 'body' };
      const invalid = Object.entries(value).find(([name, wanted]) => checks.get(name)?.holds(wanted) !== true);
      return invalid === undefined ? { faults: value } : { invalidField: invalid[0] };
    },
  };
}

function rangeOf(defined: Definition): Ranged<unknown> {
  if (typeof defined === 'boolean') return { start: defined, holds: (value) => typeof value === 'boolean' };
  return 'holds' in defined ? defined : { start: defined[0], holds: (value) => defined.includes(value as string) };
}

/** Returns the names of a table of conducts as a list of values. */
export function namesIn<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}
