/** The operator's users who change merchants' settings while payments are in flight. */
import type { GatewayOperations } from '../../src/domain/gateway-operations.ts';
import { merchantVersion } from '../../src/domain/merchants/edit-merchant.ts';
import { type Instant, SECOND_MS } from '../../src/foundation/clock.ts';
import type { MerchantId } from '../../src/foundation/identifiers.ts';
import { type PersonParts, untilDone } from './until-done.ts';

export interface SettingsOperator {
  /** Disables a method of the merchant for `ms`. */
  disable(merchantId: MerchantId, method: number, ms: number): void;
  /**
   * Two users read the same version of the merchant and edit it through two processes. The gateway must accept at most one
   * edit.
   */
  editTwice(merchantId: MerchantId): Promise<void>;
  /** Called after a restore that lost all rules. */
  forget(): void;
  /** True if the method is still disabled for the merchant, and every process must have known that at `since`. */
  isDisabled(merchantId: MerchantId, method: number, since: Instant): boolean;
}

interface SettingsOperatorParts extends PersonParts {
  readonly operations: () => Pick<GatewayOperations, 'merchants'>;
  /** The commands of another process. If no other process is running, those of the same process. */
  readonly otherOperations: () => Pick<GatewayOperations, 'merchants'>;
}

/**
 * A time longer than a process may use an outdated setting (domain/merchants/merchant-directory.ts), including its clock
 * error.
 */
const KNOWN_AFTER_MS = 10 * SECOND_MS;
/** Many rounds, because the two transactions rarely overlap. */
const ROUNDS = 12;

export function createSettingsOperator(parts: SettingsOperatorParts): SettingsOperator {
  const { world, operations, otherOperations, violated } = parts;
  let edits = 0;
  const rules = new Map<MerchantId, { readonly method: number; readonly from: Instant }>();
  const edit = (merchantId: MerchantId, disabled_methods: string | null) =>
    operations().merchants.edit(merchantId, { profile: {}, settings: { disabled_methods } });

  async function editVersion(merchantId: MerchantId): Promise<void> {
    const since = world.now();
    const read = await operations().merchants.find(merchantId);
    if (!read) return;
    const ifVersion = merchantVersion(read.merchant);
    const accepted: string[] = [];
    const names = [`Edit ${++edits}`, `Edit ${++edits}`];
    const sent = [operations(), otherOperations()].map(async ({ merchants }, place) => {
      const name = names[place] ?? '';
      const outcome = await merchants.edit(merchantId, { profile: { name }, settings: {}, ifVersion });
      // After a restore, the same version may be accepted again.
      if (outcome.ok && world.restoredAt <= since) accepted.push(name);
      if (accepted.length > 1) violated(`${merchantId}: ${accepted.join(' and ')} were accepted for one version`);
    });
    await Promise.allSettled(sent);
  }

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
    async editTwice(merchantId) {
      for (let round = 0; round < ROUNDS; round++) await editVersion(merchantId).catch(() => {});
    },
    forget: () => rules.clear(),
    isDisabled(merchantId, method, since) {
      const rule = rules.get(merchantId);
      return rule?.method === method && rule.from <= since;
    },
  };
}
