/** The browser's time and random ids, and the units of time. */

export const now = (): Date => new Date();

export const newId = (): string => crypto.randomUUID();

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
