/** The cursor of a page: the position of its last item, as an opaque string. It contains nothing that the page did not show. */

export function writeCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Returns undefined for a string that is not a cursor. The caller checks the kind of each part. */
export function readCursor(text: string): readonly unknown[] | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(place) ? place : undefined;
  } catch {
    return undefined;
  }
}
