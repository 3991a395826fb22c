/**
 * Returns the code that the platform or a library sets on an error: an errno name, an SQLSTATE, a code of fastify or undici.
 * Undefined if the error has no code.
 */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
