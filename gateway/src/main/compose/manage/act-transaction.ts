/**
 * Runs an action inside one database transaction, with the usual handlers and commands. The caller commits it or rolls it
 * back, which makes it a dry run. Nothing in it reaches a provider, a merchant or a mailbox.
 */
import type { PeopleParts } from '../../../domain/people/people-parts.ts';
import { InvariantViolation } from '../../../foundation/invariant.ts';
import type { ActTransaction, RunInTransaction } from '../../../protocol/manage/acts/act-transaction.ts';
import type { Database } from '../../../storage/core/database.ts';
import { commitIf, nestDatabase } from '../../../storage/core/nested-database.ts';
import { watchPostings } from '../../../storage/ledger/watch-postings.ts';
import type { Hooks } from '../../observability/hooks.ts';
import { peopleOver } from '../create-people.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { createOperations } from '../operations/create-operations.ts';
import { createHandlers } from './create-handlers.ts';

export function createActTransactions(core: GatewayCore, people: PeopleParts, hooks: Hooks): RunInTransaction {
  return (work) =>
    commitIf(core.database, (transaction) => {
      const postings = watchPostings(transaction);
      return work(openAct(core, people, hooks, nestDatabase(transaction, postings.watch), postings.posted));
    });
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
  const peopleInside = { ...peopleOver(people, database), merchants: stores.directory };
  const operations = createOperations(inside, silenced(hooks));
  return {
    handlers: createHandlers(inside, operations, { ...peopleInside, mail: async () => false }, refuse),
    acts: stores.acts,
    proposals: stores.proposals,
    posted,
    balances: stores.ledger.allBalances,
  };
}

/** Nothing that is not committed may be counted or cause an alert. */
function silenced(hooks: Hooks): Hooks {
  const silent = Object.keys(hooks).map((name) => [name, () => {}]);
  return { ...Object.fromEntries(silent), onProblem: hooks.onProblem } as Hooks;
}

/** An action never runs another action. */
async function refuse(): Promise<never> {
  throw new InvariantViolation('an action inside a transaction began another transaction');
}
