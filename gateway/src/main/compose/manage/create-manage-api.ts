/**
 * The management API and the pages on top of it, on their own HTTP server, apart from the wires of merchants and payers. The
 * caller listens.
 */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import { authenticateSession } from '../../../domain/people/sign-in/session.ts';
import { authenticateToken } from '../../../domain/people/tokens/authenticate-token.ts';
import { createHttpServer } from '../../../protocol/http/http-server.ts';
import { readCookies } from '../../../protocol/manage/callers/cookies.ts';
import { readOwnSession } from '../../../protocol/manage/callers/own-session.ts';
import type { CallerParts } from '../../../protocol/manage/callers/read-caller.ts';
import { createBulkReads } from '../../../protocol/manage/lists/bulk-reads.ts';
import { manageRoutes } from '../../../protocol/manage/manage-routes.ts';
import { PROBLEM_TYPE } from '../../../protocol/manage/problems.ts';
import { manageErrorBody } from '../../../protocol/manage/send-answer.ts';
import { createStreamHandlers } from '../../../protocol/manage/stream-handlers.ts';
import { loadPortalFiles } from '../../../protocol/portal/portal-files.ts';
import { portalRoutes } from '../../../protocol/portal/portal-routes.ts';
import { referenceRoutes } from '../../../protocol/reference/reference-routes.ts';
import type { Hooks } from '../../observability/hooks.ts';
import { createPeopleParts } from '../create-people.ts';
import { createReference } from '../create-reference.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { createActTransactions } from './act-transaction.ts';
import { createHandlers } from './create-handlers.ts';

/** The pages as `npm run portal` builds them. */
const PORTAL_FOLDER = join(import.meta.dirname, '../../../../../portal/dist');

/** The entry of the command line, without a network. */
export interface CommandLineCaller {
  readonly caller: Caller;
  readonly onInternalError: (error: unknown) => void;
}

/** With `commandLine`, every request is made by its caller, and the returned server never listens. */
export function createManageApi(
  core: GatewayCore,
  operations: GatewayOperations,
  hooks: Hooks,
  commandLine?: CommandLineCaller,
): FastifyInstance {
  const { config, clock, random, tokens, acts } = core;
  const people = createPeopleParts(core, hooks);
  const runInTransaction = createActTransactions(core, people, hooks);
  const app = createHttpServer({
    errorBody: (_path, text) => manageErrorBody(text, random.uuid()),
    errorType: PROBLEM_TYPE,
    requestId: () => random.uuid(),
    trustedProxies: config.trustedProxies,
    onProxyNotTrusted: hooks.onProxyNotTrusted,
    onInternalError: hooks.onInternalError,
    mode: config.mode,
    ...(commandLine ? {} : { onAnswered: hooks.onAnswered }),
  });
  const handlers = createHandlers(core, operations, people, runInTransaction);
  const callers: CallerParts = {
    commandLine: commandLine?.caller,
    authenticate: {
      token: (credential) => authenticateToken({ ...people, store: tokens, clock }, credential),
      session: (token, isUse) => authenticateSession(people, token, isUse),
    },
    origin: config.manageOrigin,
  };
  void app.register(
    manageRoutes({
      ...callers,
      handlers,
      runInTransaction,
      policies: core.policies,
      proposals: core.proposals,
      isBulkRead: createBulkReads(clock),
      streams: createStreamHandlers({
        ...operations,
        actorNames: operations.people.actorNames,
        acts,
        clock,
        onInternalError: hooks.onInternalError,
      }),
      people,
      onInternalError: commandLine?.onInternalError ?? hooks.onInternalError,
      onEmergencyAct: hooks.onEmergencyAct,
      acts,
      clock,
      random,
      fingerprint: core.vault.fingerprint,
    }),
  );
  void app.register(
    portalRoutes({
      files: loadPortalFiles(PORTAL_FOLDER),
      nonce: () => random.bytes(16).toString('base64url'),
      session: (request) => readOwnSession({ ...callers, handlers, clock }, request),
    }),
  );
  void app.register(
    referenceRoutes(
      createReference(core, async (cookies) => {
        const { session } = readCookies(cookies);
        return (session && (await authenticateSession(people, session, false))?.merchantId) ?? null;
      }),
    ),
  );
  return app;
}
