/** The browser's time and random ids. */

export const now = (): Date => new Date();

export const newId = (): string => crypto.randomUUID();
