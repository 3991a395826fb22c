/** The operations on merchants over an open core. */
import { recordConformance } from '../../../domain/conformance/record-conformance.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { createMerchant } from '../../../domain/merchants/create-merchant.ts';
import { activateMerchant, editMerchant, suspendMerchant } from '../../../domain/merchants/edit-merchant.ts';
import type { MethodCurrencies } from '../../../domain/merchants/merchant-settings.ts';
import { rotateMerchantKey } from '../../../domain/merchants/rotate-merchant-key.ts';
import { PAYMENT_TYPES } from '../../../domain/methods/payment-type.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import { KNOWN_CHECKS } from '../../../protocol/conformance/play-receiver.ts';
import { PAYOUT_METHODS } from '../../../protocol/payout/method-table.ts';
import type { GatewayCore } from '../gateway-core.ts';

const METHOD_CURRENCIES: MethodCurrencies = new Map<string, readonly Currency[]>([
  ...PAYOUT_METHODS.map(({ number, currency }) => [String(number), [currency]] as const),
  ...Object.entries(PAYMENT_TYPES),
]);

export function merchantOperations(core: GatewayCore): GatewayOperations['merchants'] {
  const { merchants: store, clock, ledger } = core;
  const parts = { ...core, store, rules: { ...core.config, methodCurrencies: METHOD_CURRENCIES } };
  return {
    create: withParts(createMerchant, parts),
    edit: withParts(editMerchant, parts),
    activate: withParts(activateMerchant, parts),
    suspend: withParts(suspendMerchant, parts),
    rotateKey: withParts(rotateMerchantKey, parts),
    list: store.list,
    async find(merchantId) {
      const found = await store.find(merchantId, clock.now());
      if (!found) return undefined;
      const keys = found.keys.map(({ sealed: _sealed, ...key }) => key);
      const [balances, conformance = null] = await Promise.all([
        ledger.allBalances(merchantId),
        core.conformance.find(merchantId),
      ]);
      return { merchant: found.merchant, keys, balances, conformance };
    },
    recordConformance: withParts(recordConformance, { ...core, checks: KNOWN_CHECKS }),
  };
}
