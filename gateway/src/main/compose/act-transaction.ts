/**
 * Runs an act inside one database transaction, by the same handlers and commands as always. The caller commits it, or rolls
 * everything back: that is a dry run. Nothing in it reaches a provider, a merchant or a mailbox.
 */
import type { PeopleParts } from '../../domain/people/people-parts.ts';
import { InvariantViolation } from '../../foundation/invariant.ts';
import type { ActTransaction, RunInTransaction } from '../../protocol/manage/act-transaction.ts';
import type { Database } from '../../storage/core/database.ts';
import { nestDatabase } from '../../storage/core/nested-database.ts';
import { watchPostings } from '../../storage/ledger/watch-postings.ts';
import { createChallengeStore, createLockoutStore } from '../../storage/people/challenge-store.ts';
import { createInvitationStore } from '../../storage/people/invitation-store.ts';
import { createPeopleStore } from '../../storage/people/people-store.ts';
import { createSessionStore } from '../../storage/people/session-store.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createHandlers } from './create-handlers.ts';
import { createOperations } from './create-operations.ts';
import type { GatewayCore } from './open-core.ts';

/** Ends the transaction without a commit, and carries the result out of it. */
class RolledBack<Value> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

export function createActTransactions(core: GatewayCore, people: PeopleParts, hooks: Hooks): RunInTransaction {
  return async (work) => {
    try {
      return await core.database.transaction(async (transaction) => {
        const postings = watchPostings(transaction);
        const nested = nestDatabase(transaction, postings.watch);
        const { keep, value } = await work(openAct(core, people, hooks, nested, postings.posted));
        if (!keep) throw new RolledBack(value);
        return value;
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.value;
      throw error;
    }
  };
}

function openAct(
  core: GatewayCore,
  people: PeopleParts,
  hooks: Hooks,
  database: Database,
  posted: ActTransaction['posted'],
): ActTransaction {
  const stores = core.storesOver(database);
  const { nextTransactionId } = core.payouts;
  const inside: GatewayCore = { ...core, database, ...stores, payouts: { ...stores.payouts, nextTransactionId } };
  const peopleInside = { ...people, ...peopleStoresOver(database), acts: stores.acts, merchants: stores.directory };
  const operations = createOperations(inside, silenced(hooks));
  return {
    handlers: createHandlers(inside, operations, { ...peopleInside, mail: async () => false }, refuse),
    acts: stores.acts,
    proposals: stores.proposals,
    posted,
    balances: stores.ledger.allBalances,
  };
}

function peopleStoresOver(database: Database) {
  return {
    people: createPeopleStore(database),
    sessions: createSessionStore(database),
    challenges: createChallengeStore(database),
    lockouts: createLockoutStore(database),
    invitations: createInvitationStore(database),
  };
}

/** Nothing that is not committed may count, or alert. */
function silenced(hooks: Hooks): Hooks {
  const silent = Object.keys(hooks).map((name) => [name, () => {}]);
  return { ...Object.fromEntries(silent), onProblem: hooks.onProblem } as Hooks;
}

/** An act never runs another one. */
async function refuse(): Promise<never> {
  throw new InvariantViolation('an act inside a transaction began another transaction');
}
