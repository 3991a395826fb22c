/** How VoPay writes a time: `2026-11-20 12:00:00`. */
export function timestampOf(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}
