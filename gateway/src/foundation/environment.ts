/** Where the gateway runs. Production is strict; development is open to the loopback, short keys and plain HTTP. */
export const ENVIRONMENTS = ['development', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
