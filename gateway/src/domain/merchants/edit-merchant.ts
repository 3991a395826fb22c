/** The commands that change a merchant's profile, settings and state. Each returns the merchant after the change. */
import { createHash } from 'node:crypto';
import { DAY_MS, type Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { MerchantCommandParts } from './create-merchant.ts';
import { type Merchant, type MerchantProfile, OPERATOR_MERCHANT } from './merchant.ts';
import type { MerchantRejection } from './merchant-rejection.ts';
import { profileFault } from './merchant-rules.ts';
import { isSettingName, readMerchantSettings, settingFault } from './merchant-settings.ts';
import type { MerchantChange } from './merchant-store.ts';
import { MERCHANT_TRANSITIONS, type MerchantEvent } from './merchant-transitions.ts';

export interface MerchantEdit {
  /** Omitted fields keep their value. Null removes a URL. */
  readonly profile: Partial<MerchantProfile>;
  /** The new values of settings, by name. Null restores a setting's default. */
  readonly settings: Readonly<Record<string, string | null>>;
  /**
   * The version that the caller read. The gateway rejects the edit if the merchant has a different version. If undefined, it
   * edits any version.
   */
  readonly ifVersion?: string | undefined;
}

type EditParts = Pick<MerchantCommandParts, 'store' | 'clock' | 'rules'>;

export async function editMerchant(
  parts: EditParts,
  merchantId: MerchantId,
  edit: MerchantEdit,
): Promise<Result<Merchant, MerchantRejection>> {
  if (merchantId === OPERATOR_MERCHANT) return fail({ kind: 'merchant_reserved' });
  return change(parts, merchantId, (merchant) => {
    if (edit.ifVersion !== undefined && edit.ifVersion !== merchantVersion(merchant))
      return fail({ kind: 'changed_meanwhile' });
    const fault = profileFault(edit.profile, parts.rules) ?? settingsFault(merchant, edit, parts.rules);
    if (fault) return fail(fault);
    if (merchant.state === 'active' && merchant.processUrl !== null && edit.profile.processUrl === null)
      return fail({ kind: 'process_url_missing' });
    return ok({ ...edit.profile, settings: edit.settings });
  });
}

/** Returns a version that changes with the profile, the settings and the state. */
export function merchantVersion({ settings, ...merchant }: Merchant): string {
  const named = Object.entries(settings.raw).sort(([left], [right]) => (left < right ? -1 : 1));
  const written = JSON.stringify([Object.entries(merchant).sort(([left], [right]) => (left < right ? -1 : 1)), named]);
  return createHash('sha256').update(written).digest('base64url').slice(0, 22);
}

function settingsFault(
  { settings }: Merchant,
  edit: MerchantEdit,
  { methodCurrencies }: EditParts['rules'],
): MerchantRejection | undefined {
  const edited = Object.entries(edit.settings);
  const unknown = edited.find(([name]) => !isSettingName(name));
  if (unknown)
    return { kind: 'invalid_setting', reason: `Unknown setting: "${unknown[0]}". See docs/merchant/settings.md` };
  const read = readMerchantSettings(withoutUnset({ ...settings.raw, ...edit.settings }));
  const reason = read.ok ? settingFault(withoutUnset(edit.settings), read.value, methodCurrencies) : read.error;
  return reason === undefined ? undefined : { kind: 'invalid_setting', reason };
}

function withoutUnset(settings: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The newest conformance run that was recorded for a merchant. */
interface RecordedRuns {
  find(merchantId: MerchantId): Promise<{ readonly isPassed: boolean; readonly recordedAt: Instant } | undefined>;
}

/**
 * Rejects a merchant without a `process_url`, because an active merchant must get the results of its payments. A merchant that
 * leaves the state test also needs the conformance run that its settings require.
 */
export async function activateMerchant(
  parts: EditParts & { readonly conformance: RecordedRuns },
  merchantId: MerchantId,
): Promise<Result<Merchant, MerchantRejection>> {
  if (merchantId === OPERATOR_MERCHANT) return fail({ kind: 'merchant_reserved' });
  const run = await parts.conformance.find(merchantId);
  return change(parts, merchantId, (merchant) => {
    if (merchant.processUrl === null) return fail({ kind: 'process_url_missing' });
    const { conformance_days: days } = merchant.settings;
    const isProven = days === 0 || (run?.isPassed === true && run.recordedAt >= parts.clock.now() - days * DAY_MS);
    if (merchant.state === 'test' && !isProven) return fail({ kind: 'conformance_missing', days });
    return ok(stateAfter(merchant, 'activated'));
  });
}

/** The gateway rejects new payouts from now on. Accepted payouts continue. */
export async function suspendMerchant(
  parts: EditParts,
  merchantId: MerchantId,
): Promise<Result<Merchant, MerchantRejection>> {
  return change(parts, merchantId, (merchant) => ok(stateAfter(merchant, 'suspended')));
}

/** A merchant that already has that state keeps it, so that the operator can repeat the command. */
function stateAfter(merchant: Merchant, event: MerchantEvent): MerchantChange {
  const state = MERCHANT_TRANSITIONS[merchant.state][event];
  return state === undefined ? {} : { state };
}

async function change(
  { store, clock }: EditParts,
  merchantId: MerchantId,
  plan: (merchant: Merchant) => Result<MerchantChange, MerchantRejection>,
): Promise<Result<Merchant, MerchantRejection>> {
  const changed = await store.change(merchantId, plan);
  if (changed && !changed.ok) return changed;
  const found = await store.find(merchantId, clock.now());
  return found ? ok(found.merchant) : fail({ kind: 'merchant_not_found' });
}
