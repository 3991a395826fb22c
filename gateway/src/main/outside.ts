/**
 * Everything through which a gateway process reaches other programs: its database, its providers, the merchants' callback
 * URLs, its listeners. A simulation runs the same gateway and replaces only these parts.
 */
import { systemSteadyMs } from '../foundation/clock.ts';
import { createHttpCallbackTransport } from '../protocol/callbacks/http-callback-transport.ts';
import { createRails } from '../rails/registry.ts';
import { openDatabase } from '../storage/core/database.ts';
import { openConnection } from './compose/open-connection.ts';
import { listen } from './listen.ts';

export interface Outside {
  readonly openConnection: typeof openConnection;
  readonly openDatabase: typeof openDatabase;
  readonly createRails: typeof createRails;
  readonly createCallbackTransport: typeof createHttpCallbackTransport;
  readonly listen: typeof listen;
  /** Milliseconds of a monotonic clock. */
  readonly steadyMs: () => number;
}

export const OUTSIDE: Outside = {
  openConnection,
  openDatabase,
  createRails,
  createCallbackTransport: createHttpCallbackTransport,
  listen,
  steadyMs: systemSteadyMs,
};
