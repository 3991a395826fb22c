/**
 * The bank list of an API process. The process refreshes its list while it serves, independent of other processes, and
 * shows it to merchants.
 */
import type { FastifyInstance } from 'fastify';
import {
  type BankDirectory,
  createBankDirectory,
  findBankListingRail,
  LOOK_FOR_BANKS_EVERY_MS,
} from '../../domain/payments/banks/bank-directory.ts';
import { bankListRoutes } from '../../protocol/open-banking/bank-list-routes.ts';
import { createBankListStore } from '../../storage/payments/banks/bank-list-store.ts';
import { createPeriodicWork } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { GatewayCore } from './gateway-core.ts';

interface BankListCore extends Pick<GatewayCore, 'database' | 'clock'> {
  readonly rails: Pick<GatewayCore['rails'], 'paymentRails'>;
}

/** Registers the endpoint, and returns the directory for other parts that show banks. */
export function serveBankList(
  app: FastifyInstance,
  { rails, database, clock }: BankListCore,
  { onProblem }: Pick<Hooks, 'onProblem'>,
): BankDirectory {
  const rail = findBankListingRail(rails.paymentRails);
  const banks = createBankDirectory({ rail, store: createBankListStore(database), clock });
  const refreshing = createPeriodicWork({
    tasks: rail
      ? [{ name: 'refresh the list of banks', everyMs: LOOK_FOR_BANKS_EVERY_MS, run: () => banks.refresh() }]
      : [],
    clock,
    onProblem,
  });
  app.addHook('onReady', async () => refreshing.start());
  app.addHook('onClose', () => refreshing.stop());
  void app.register(bankListRoutes({ banks }));
  return banks;
}
