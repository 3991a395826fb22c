/**
 * `/healthz`: the process responds. `/readyz`: the process should receive traffic, because it can reach the database, the
 * schema fits this version, the clock is correct, and it is not draining. A database that cannot write, as with a full disk,
 * has no effect: other processes would have the same problem, and statuses and balances can still be read. Anyone may request
 * it, so all requests within a second share one database query, and a response contains only the name of a check.
 */
import type { FastifyInstance } from 'fastify';
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import type { SchemaState } from '../../storage/migrations/schema-state.ts';

interface HealthParts {
  /** Throws when the database does not respond. */
  readonly schemaState: () => Promise<SchemaState>;
  /** Resolves to false if the clocks of this machine and the database differ too much. Its dates would then mislead others. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly isDraining: () => boolean;
  readonly clock: Clock;
}

/** `starting` means that none of several processes serves yet, or that all of them ended. */
const READINESS = [
  'ready',
  'starting',
  'draining',
  'database unreachable',
  'migrations missing',
  'version too old',
  'clock is off',
] as const;
export type Readiness = (typeof READINESS)[number];

export const isReadiness = (text: string): text is Readiness => READINESS.includes(text as Readiness);

const BY_SCHEMA: Readonly<Record<SchemaState, Readiness>> = {
  fit: 'ready',
  outdated: 'migrations missing',
  too_new: 'version too old',
  foreign: 'migrations missing',
};

const FRESH_MS = 1 * SECOND_MS;
const PATIENCE_MS = 2 * SECOND_MS;

/** Never shed: a service manager would restart a busy process that fails this check, which would make it busier. */
const ALWAYS = { config: { trafficClass: 'unlimited' } } as const;

/** Calls `readiness` for each request. `processes` returns the readiness of each process where there are several. */
export function registerHealth(
  app: FastifyInstance,
  readiness: () => Promise<{ readonly status: Readiness; readonly processes?: Readonly<Record<string, string>> }>,
): void {
  app.get('/healthz', ALWAYS, async () => ({ status: 'alive' }));
  app.get('/readyz', ALWAYS, async (_request, reply) => {
    const found = await readiness();
    return reply.code(found.status === 'ready' ? 200 : 503).send(found);
  });
}

/** The readiness of one process. */
export function createReadiness(parts: HealthParts): () => Promise<Readiness> {
  const lookAtDatabase = sharedLook(parts);
  return async () => (parts.isDraining() ? 'draining' : lookAtDatabase());
}

function sharedLook({ schemaState, clockIsRight, clock }: HealthParts): () => Promise<Readiness> {
  const look = async () => {
    const readiness = BY_SCHEMA[await schemaState()];
    return readiness !== 'ready' || (await clockIsRight()) ? readiness : 'clock is off';
  };
  let last: { readonly at: Instant; readonly result: Promise<Readiness> } | undefined;
  return () => {
    if (!last || Math.abs(clock.now() - last.at) >= FRESH_MS) last = { at: clock.now(), result: lookOnce(look, clock) };
    return last.result;
  };
}

async function lookOnce(look: () => Promise<Readiness>, clock: Clock): Promise<Readiness> {
  const answered = new AbortController();
  const answer = look().catch((): Readiness => 'database unreachable');
  const tooLate = clock.sleep(PATIENCE_MS, answered.signal).then((): Readiness => 'database unreachable');
  const readiness = await Promise.race([answer, tooLate]);
  answered.abort();
  return readiness;
}
