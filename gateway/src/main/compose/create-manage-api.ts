/**
 * The management API and the pages on top of it, on their own HTTP server, apart from the wires of merchants and payers. The
 * caller listens.
 */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { GatewayOperations } from '../../domain/management/gateway-operations.ts';
import { authenticateToken } from '../../domain/people/authenticate-token.ts';
import { authenticateSession } from '../../domain/people/session.ts';
import { createHttpServer } from '../../protocol/http/http-server.ts';
import { auditHandlers } from '../../protocol/manage/handlers/audit.ts';
import { callbackHandlers } from '../../protocol/manage/handlers/callbacks.ts';
import { depositHandlers } from '../../protocol/manage/handlers/deposits.ts';
import { eventHandlers } from '../../protocol/manage/handlers/events.ts';
import { findHandlers } from '../../protocol/manage/handlers/find.ts';
import { ledgerHandlers } from '../../protocol/manage/handlers/ledger.ts';
import { listHandlers } from '../../protocol/manage/handlers/lists.ts';
import { merchantHandlers } from '../../protocol/manage/handlers/merchants.ts';
import { payoutHandlers } from '../../protocol/manage/handlers/payouts.ts';
import { peopleHandlers } from '../../protocol/manage/handlers/people.ts';
import { railHandlers } from '../../protocol/manage/handlers/rails.ts';
import { reconciliationHandlers } from '../../protocol/manage/handlers/reconciliation.ts';
import { recoveryHandlers } from '../../protocol/manage/handlers/recovery.ts';
import { routeHandlers } from '../../protocol/manage/handlers/routes.ts';
import { sessionHandlers } from '../../protocol/manage/handlers/sessions.ts';
import { signInHandlers } from '../../protocol/manage/handlers/sign-in.ts';
import { statementHandlers } from '../../protocol/manage/handlers/statements.ts';
import { tokenHandlers } from '../../protocol/manage/handlers/tokens.ts';
import { manageErrorBody, manageRoutes } from '../../protocol/manage/manage-routes.ts';
import { PROBLEM_TYPE } from '../../protocol/manage/problems.ts';
import { createStreamHandlers } from '../../protocol/manage/stream-handlers.ts';
import { loadPortalFiles } from '../../protocol/portal/portal-files.ts';
import { portalRoutes } from '../../protocol/portal/portal-routes.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createPeopleParts } from './create-people.ts';
import type { GatewayCore } from './open-core.ts';

/** The pages as `npm run portal` builds them. */
const PORTAL_FOLDER = join(import.meta.dirname, '../../../../portal/dist');

export function createManageApi(core: GatewayCore, operations: GatewayOperations, hooks: Hooks): FastifyInstance {
  const { config, clock, random, tokens, acts } = core;
  const people = createPeopleParts(core, hooks);
  const app = createHttpServer({
    errorBody: (_path, text) => manageErrorBody(text, random.uuid()),
    errorType: PROBLEM_TYPE,
    requestId: () => random.uuid(),
    trustedProxies: config.trustedProxies,
    onProxyNotTrusted: hooks.onProxyNotTrusted,
    onInternalError: hooks.onInternalError,
    onAnswered: hooks.onAnswered,
  });
  void app.register(
    manageRoutes({
      handlers: {
        ...merchantHandlers(operations),
        ...ledgerHandlers(operations, clock.now),
        ...payoutHandlers(operations),
        ...depositHandlers(operations),
        ...callbackHandlers(operations),
        ...listHandlers(operations),
        ...findHandlers(operations),
        ...eventHandlers(operations),
        ...railHandlers(operations),
        ...routeHandlers(operations),
        ...reconciliationHandlers(operations),
        ...recoveryHandlers(operations),
        ...statementHandlers(operations),
        ...tokenHandlers(operations),
        ...auditHandlers(operations),
        ...signInHandlers(people),
        ...sessionHandlers(people),
        ...peopleHandlers(people),
      },
      streams: createStreamHandlers({ ...operations, acts, clock, onInternalError: hooks.onInternalError }),
      authenticate: {
        token: (credential) => authenticateToken({ store: tokens, clock }, credential),
        session: (token, isUse) => authenticateSession(people, token, isUse),
      },
      origin: config.manageOrigin,
      people,
      onInternalError: hooks.onInternalError,
      ...{ acts, clock, random },
    }),
  );
  void app.register(
    portalRoutes({ files: loadPortalFiles(PORTAL_FOLDER), nonce: () => random.bytes(16).toString('base64url') }),
  );
  return app;
}
