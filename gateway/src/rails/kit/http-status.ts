/** The proof in the HTTP status of a provider's answer, for providers that promise nothing else. Pure. */

/**
 * Timed out, in conflict with an earlier request, too early, or too many: an earlier copy of the request may be at work, or
 * this one may be carried out after all.
 */
const INDEFINITE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The provider does not accept our credentials: it refused before it looked at the request, for whichever payment. */
export function isCredentialRefused(status: number): boolean {
  return status === 401 || status === 403;
}

/** A 4xx status that proves that the request itself was refused and not carried out. Says nothing of earlier requests. */
export function isDefiniteRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !INDEFINITE.has(status) && !isCredentialRefused(status);
}

/** A 4xx status that proves nothing. */
export function isIndefinite(status: number): boolean {
  return INDEFINITE.has(status);
}
