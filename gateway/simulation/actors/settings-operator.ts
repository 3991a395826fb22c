/** The operator's people who change merchants' settings while payments are in flight. */
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import { type Instant, SECOND_MS } from '../../src/foundation/clock.ts';
import type { MerchantId } from '../../src/foundation/identifiers.ts';
import { type PersonParts, untilDone } from './until-done.ts';

export interface SettingsOperator {
  /** Disables a method of the merchant for that time. */
  disable(merchantId: MerchantId, method: number, ms: number): void;
  /** Called when the database has forgotten all rules. */
  forget(): void;
  /** True if every process must have known at that time that the method is disabled for the merchant, and it still is. */
  isDisabled(merchantId: MerchantId, method: number, since: Instant): boolean;
}

interface SettingsOperatorParts extends PersonParts {
  readonly operations: () => Pick<GatewayOperations, 'merchants'>;
}

/** Longer than a process may act by an earlier setting (domain/merchants/merchant-directory.ts), with its wrong clock. */
const KNOWN_AFTER_MS = 10 * SECOND_MS;

export function createSettingsOperator(parts: SettingsOperatorParts): SettingsOperator {
  const { world, operations } = parts;
  const rules = new Map<MerchantId, { readonly method: number; readonly from: Instant }>();
  const edit = (merchantId: MerchantId, disabled_methods: string | null) =>
    operations().merchants.edit(merchantId, { profile: {}, settings: { disabled_methods } });

  return {
    disable(merchantId, method, ms) {
      void untilDone(parts, async () => {
        await edit(merchantId, String(method));
        const rule = { method, from: world.now() + KNOWN_AFTER_MS };
        rules.set(merchantId, rule);
        world.after(ms, () => {
          if (rules.get(merchantId) !== rule) return;
          rules.delete(merchantId);
          void untilDone(parts, () => edit(merchantId, null));
        });
      });
    },
    forget: () => rules.clear(),
    isDisabled(merchantId, method, since) {
      const rule = rules.get(merchantId);
      return rule?.method === method && rule.from <= since;
    },
  };
}
