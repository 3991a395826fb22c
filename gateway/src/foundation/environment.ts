/**
 * The environment that the gateway runs in. Production is strict. Development accepts loopback addresses, short keys
 * and plain HTTP.
 */
export const ENVIRONMENTS = ['development', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
