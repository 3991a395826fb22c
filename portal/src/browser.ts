/** What the pages take from the browser around them: the time, and ids that nobody can guess. */

export const now = (): Date => new Date();

export const newId = (): string => crypto.randomUUID();
