/** GatewayOperations on an open core: the operations that the command line offers. */
import { explainCallback } from '../../../domain/callbacks/explain-callback.ts';
import { OPENS_AFTER } from '../../../domain/callbacks/plan-delivery.ts';
import { resendCallback, resendUndelivered } from '../../../domain/callbacks/resend-callback.ts';
import { sendTestCallback } from '../../../domain/callbacks/send-test-callback.ts';
import { resolveDifference } from '../../../domain/differences/resolve-difference.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { moveFunds } from '../../../domain/ledger/fund-merchant.ts';
import { findPayments } from '../../../domain/lists/find-payments.ts';
import { PROCESS_COUNTS_FOR_MS } from '../../../domain/monitoring/running-process.ts';
import { issueToken, revokeToken } from '../../../domain/people/tokens/issue-token.ts';
import { checkRoute, removeRoute, setHours, setRoute } from '../../../domain/routing/edit-routes.ts';
import { pausePayouts, resumePayouts } from '../../../domain/routing/pauses.ts';
import { replayRoutes } from '../../../domain/routing/replay/replay-routes.ts';
import { readMasterKeyState, rotateMasterKey } from '../../../domain/vault/rotate-master-key.ts';
import { HOUR_MS } from '../../../foundation/clock.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import { payoutMethod } from '../../../protocol/payout/method-table.ts';
import { AUDIT_INVARIANTS } from '../../../storage/invariants/verify-audit-invariants.ts';
import { verifyInvariants } from '../../../storage/invariants/verify-invariants.ts';
import { readQueueStatistics } from '../../../storage/monitoring/queue-statistics.ts';
import type { FileKeyring } from '../../config/master-key.ts';
import type { Hooks } from '../../observability/hooks.ts';
import { createExplainRequest } from '../../requests/explain-request.ts';
import { createActorNames, createPeopleParts, peopleOperations } from '../create-people.ts';
import { createPublishing, openCallbackTransport } from '../create-publishing.ts';
import { createRailView, routedRails } from '../create-rail-view.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { batchOperations } from './batch-operations.ts';
import { createFindPace } from './create-find-pace.ts';
import { newPayoutsOf } from './create-new-payouts.ts';
import { depositOperations } from './deposit-operations.ts';
import { ledgerOperations } from './ledger-operations.ts';
import { merchantOperations } from './merchant-operations.ts';
import { payoutOperations } from './payout-operations.ts';
import { railOperations } from './rail-operations.ts';
import { reconciliationOperations } from './reconciliation-operations.ts';
import { recoveryOperations } from './recovery-operations.ts';
import { statementOperations } from './statement-operations.ts';

/** The merchants whose server fails that the inbox shows. */
const MOST_FAILING = 100;

/** Serving processes poll, so they soon find the work that an operation made due. */
const NOBODY_TO_WAKE = () => {};

export function createOperations(core: GatewayCore, hooks: Hooks): GatewayOperations {
  const { clock, callbacks, directory: merchants } = core;
  const railView = createRailView(core);
  const pace = createFindPace(core);
  const publishing = createPublishing(core, hooks, NOBODY_TO_WAKE);
  const resending = { callbacks, merchants, clock, onDue: NOBODY_TO_WAKE };
  const routing = { store: core.routes, rails: () => routedRails(railView), merchants, clock };
  return {
    merchants: merchantOperations(core),
    funds: { move: withParts(moveFunds, core) },
    ledger: ledgerOperations(core),
    statements: statementOperations(core),
    tokens: tokenOperations(core),
    people: { ...peopleOperations(createPeopleParts(core, hooks)), actorNames: createActorNames(core) },
    audit: {
      list: core.acts.list,
      heads: core.acts.heads,
      verify: () => verifyInvariants(core.database, undefined, AUDIT_INVARIANTS),
    },
    payouts: payoutOperations(core, hooks, publishing, railView, pace),
    newPayouts: newPayoutsOf(core, hooks),
    batches: batchOperations(core),
    policies: core.policies,
    proposals: core.proposals,
    lists: {
      ...core.lists,
      find: async (order) =>
        findPayments({ lists: core.lists, searchStore: core.searchStore, rails: await railView.everUsed() }, order),
    },
    events: core.events,
    requests: { find: core.requests.find, explain: createExplainRequest(core) },
    deposits: depositOperations(core, hooks, publishing),
    pauses: {
      list: core.pauses.list,
      pause: withParts(pausePayouts, core),
      resume: withParts(resumePayouts, core),
    },
    callbacks: {
      async find(key) {
        const record = await callbacks.find(key);
        return record && { ...record, explanation: explainCallback(record, clock.now()) };
      },
      failing: () => callbacks.failing(OPENS_AFTER, MOST_FAILING),
      pace: (merchantId, hours) => callbacks.pace(merchantId, clock.now() - hours * HOUR_MS),
      resend: withParts(resendCallback, resending),
      resendUndelivered: withParts(resendUndelivered, resending),
      test: withParts(sendTestCallback, { ...core, merchants, openTransport: () => openCallbackTransport(core) }),
    },
    routes: {
      read: core.routes.read,
      check: withParts(checkRoute, routing),
      set: withParts(setRoute, routing),
      remove: withParts(removeRoute, routing),
      setHours: withParts(setHours, routing),
      replay: withParts(replayRoutes, { ...routing, lists: core.lists, rails: core.rails.payoutRails }),
    },
    methods: { currencyOf: (method) => payoutMethod(method)?.currency },
    reconciliation: reconciliationOperations(core, hooks, publishing),
    recovery: recoveryOperations(core, hooks, publishing),
    differences: { ...core.differences, resolve: withParts(resolveDifference, core) },
    rails: railOperations(core, railView),
    monitoring: {
      queues: () => readQueueStatistics(core.database, clock.now()),
      processes: railView.running,
      pace,
    },
    masterKey: masterKeyOperations(core),
    books: { verify: () => verifyInvariants(core.database) },
  };
}

function tokenOperations(core: GatewayCore): GatewayOperations['tokens'] {
  const { tokens: store, directory: merchants } = core;
  return {
    issue: withParts(issueToken, { ...core, store, merchants }),
    list: store.list,
    find: store.find,
    revoke: withParts(revokeToken, { ...core, store }),
  };
}

function masterKeyOperations(core: GatewayCore): GatewayOperations['masterKey'] {
  const { vaultStore: store, keyring, random, clock } = core;
  return {
    state: () => readMasterKeyState({ store, keyring }),
    processesWithout: () => core.processes.withoutMasterKey(keyring.current().id, clock.now() - PROCESS_COUNTS_FOR_MS),
    /** First creates a new key in the key file. If an earlier rotation is unfinished, completes that rotation instead. */
    async rotate(onProgress) {
      const unfinished = await store.countUnderOtherKeys('vault_keys', keyring.current().id);
      if (isFileKeyring(keyring) && unfinished === 0) keyring.addKey();
      return rotateMasterKey({ store, keyring, random, clock }, onProgress);
    },
  };
}

function isFileKeyring(keyring: GatewayCore['keyring']): keyring is FileKeyring {
  return 'addKey' in keyring;
}
