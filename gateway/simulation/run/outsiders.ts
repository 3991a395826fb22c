/** All actors outside the gateway in a run: banks, providers, payers, merchants and the operator's users. */

import type { Gateway } from '../../src/main/compose/compose.ts';
import { type CallbackOffice, createCallbackOffice } from '../actors/callback-office.ts';
import type { Door } from '../actors/door.ts';
import { createFormTrade, type FormTrade } from '../actors/form-trade.ts';
import { createSimulatedMerchant, type SimulatedMerchant } from '../actors/merchant.ts';
import { createMerchant, FORM_KEY, KEY } from '../actors/merchant-settings.ts';
import { createNotifier } from '../actors/notifier.ts';
import { createSimulatedOperator, type SimulatedOperator } from '../actors/operator.ts';
import { createPayoutBanks, type PayoutBanks } from '../actors/payout-banks.ts';
import { createRecoveryOperator, type RecoveryOperator } from '../actors/recovery-operator.ts';
import { createRefundOperator, type RefundOperator } from '../actors/refund-operator.ts';
import { createSettingsOperator, type SettingsOperator } from '../actors/settings-operator.ts';
import { createSpeiBank, type SpeiBank } from '../actors/spei-bank.ts';
import type { Drawn } from '../world/drawn.ts';
import type { Network } from '../world/network.ts';
import type { World } from '../world/world.ts';

export interface Outsiders {
  readonly banks: PayoutBanks;
  readonly spei: SpeiBank;
  readonly office: CallbackOffice;
  readonly forms: FormTrade;
  readonly merchants: ReadonlyMap<string, SimulatedMerchant>;
  readonly staff: SimulatedOperator;
  readonly rules: SettingsOperator;
  readonly refundOperator: RefundOperator;
  readonly recovery: RecoveryOperator;
  /** `scarce` is the balance of a merchant that occasionally runs out of money. */
  addMerchant(index: number, scarce: bigint): Promise<void>;
}

interface OutsidersParts {
  readonly world: World;
  readonly network: Network;
  readonly door: Door;
  readonly choices: Drawn;
  /** The commands of the process that serves the operator. */
  readonly operations: () => Gateway['operations'];
  /** The commands of another process. If no other process is running, those of the same process. */
  readonly otherOperations: () => Gateway['operations'];
  readonly violated: (what: string) => void;
}

export function createOutsiders(parts: OutsidersParts): Outsiders {
  const { world, network, door, choices, operations, otherOperations, violated } = parts;
  const merchants = new Map<string, SimulatedMerchant>();
  const notify = createNotifier(world, network, door);
  const banks = createPayoutBanks({ world, network, violated, notify: (news) => notify(news, 'some_hours') });
  const spei = createSpeiBank(world, network, (notice, isForged) => notify(notice, isForged ? 'none' : 'some_hours'));
  const forms = createFormTrade({ world, network, door, violated, notify: (notice) => notify(notice, 'endless') });
  const office = createCallbackOffice({
    ...{ world, network, violated },
    receive: ({ merchantId, subject, payload }) => {
      if (subject === 'payout') merchants.get(merchantId)?.receiveCallback(payload);
      if (subject === 'deposit') merchants.get(merchantId)?.shop.receiveCallback(payload);
    },
  });

  function anyDeposit() {
    const merchant = choices.oneOf([...merchants.values()]);
    const orders = [...merchant.shop.deposits.keys()].filter((order) => order.startsWith('d')).slice(-30);
    return orders.length === 0 ? undefined : { merchantId: merchant.id, orderId: choices.oneOf(orders) };
  }

  const person = { world, violated, operations };
  const disowns = (rail: string, reference: string) => forms.providers.get(rail)?.disowns(reference) ?? false;
  const rules = createSettingsOperator({ ...person, otherOperations });
  return {
    ...{ banks, spei, office, forms, merchants, rules },
    staff: createSimulatedOperator({ ...person, anyDeposit }),
    refundOperator: createRefundOperator({ ...person, disowns }),
    recovery: createRecoveryOperator(person),
    async addMerchant(index, scarce) {
      const id = `M${index}`;
      const parts = { world, door, violated, payer: spei.expect, openForm: forms.open };
      const isDisabled = (method: number, since: number) => rules.isDisabled(id, method, since);
      merchants.set(id, createSimulatedMerchant({ id, key: KEY, formKey: FORM_KEY }, { ...parts, isDisabled }));
      await createMerchant(operations(), id, index, scarce);
    },
  };
}
