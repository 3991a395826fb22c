/** Reads proof from an HTTP status, for providers that document no other proof. Pure. */

/**
 * Timeout, conflict with an earlier request, too early, or too many requests. The provider may be processing an earlier copy,
 * or may still execute this request.
 */
const INDEFINITE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The provider refuses our credentials. It did so before it read the request, whichever payment the request was for. */
export function isCredentialRefused(status: number): boolean {
  return status === 401 || status === 403;
}

/** A 4xx status that proves that the provider rejected this request. It proves nothing about earlier requests. */
export function isDefiniteRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !INDEFINITE.has(status) && !isCredentialRefused(status);
}

/** A 4xx status that proves nothing. */
export function isIndefinite(status: number): boolean {
  return INDEFINITE.has(status);
}
