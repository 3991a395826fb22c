/** The cursor of a page: the place of its last item, as opaque string. It does not hold anything that the page did not show. */

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
