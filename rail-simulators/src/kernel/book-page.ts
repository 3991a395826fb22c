/** Serves the book page by page on a simulator's control surface. */
import type { Reply } from './http-server.ts';

export interface PagedBook {
  /** Returns at most `limit` entries after the position `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly unknown[];
}

const MOST_ENTRIES_PER_PAGE = 1_000;

export const ok = (body: object): Reply => ({ status: 200, body });
/** `accepts` describes the valid values of the field to a reader. */
export const invalid = (field: string, accepts?: string): Reply => ({
  status: 400,
  body: { error: 'invalid', field, ...(accepts === undefined ? {} : { accepts }) },
});

export function pageOf(book: PagedBook, query: URLSearchParams): Reply {
  const after = Number(query.get('after') ?? 0);
  const limit = Number(query.get('limit') ?? MOST_ENTRIES_PER_PAGE);
  if (!Number.isSafeInteger(after) || after < 0) return invalid('after');
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_ENTRIES_PER_PAGE) return invalid('limit');
  return ok({ entries: book.entriesAfter(after, limit) });
}
