/** The identifiers that merchants choose, as every wire reads them (decisions, Requests: "only Latin letters and digits"). */

/** Identifiers of every kind: of merchants, transactions, users. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** `0` means all of them in a list request, so it can't be one of them. */
export function isIdOfOne(text: string): boolean {
  return isId(text) && text !== '0';
}
