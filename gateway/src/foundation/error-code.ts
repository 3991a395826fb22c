/**
 * The word that the platform and its libraries put beside an error's message: an errno's name, a SQLSTATE, a code of
 * fastify or undici. Undefined where there is none.
 */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
