/** The gateway's environment. Production is strict. Development accepts loopback addresses, short keys and plain HTTP. */
export const ENVIRONMENTS = ['development', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Whether the money of a gateway is real. Each response, page and callback states it. */
export const MODES = ['live', 'sandbox'] as const;
export type Mode = (typeof MODES)[number];

/** The header of each response and callback with the mode. */
export const MODE_HEADER = 'gateway-mode';
