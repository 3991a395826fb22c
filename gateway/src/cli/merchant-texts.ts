/** Merchants as JSON and as text. */
import { type Balances, balanceOf } from '../domain/ledger/transfer.ts';
import type { MerchantRecord } from '../domain/management/gateway-operations.ts';
import type { KeyPurpose, Merchant } from '../domain/merchants/merchant.ts';
import type { Currency } from '../foundation/currency.ts';
import { formatAmount } from '../foundation/money.ts';
import { formatFacts, formatSection, formatTable, humanTime, jsonTime } from './command-output.ts';

export function merchantJson(merchant: Merchant) {
  return {
    merchant: merchant.merchantId,
    name: merchant.name,
    state: merchant.state,
    site_url: merchant.siteUrl,
    process_url: merchant.processUrl,
    success_url: merchant.successUrl,
    fail_url: merchant.failUrl,
    payout_callback_url: merchant.payoutCallbackUrl,
    event_url: merchant.eventUrl,
    settings: merchant.settings.raw,
    created_at: jsonTime(merchant.createdAt),
  };
}

export function merchantRecordJson({ merchant, keys, balances }: MerchantRecord) {
  return {
    ...merchantJson(merchant),
    keys: keys.map((key) => ({
      id: key.keyId,
      purpose: key.purpose,
      created_at: jsonTime(key.createdAt),
      valid_until: jsonTime(key.retiresAt),
      first_used_at: jsonTime(key.firstUsedAt),
      last_used_at: jsonTime(key.lastUsedAt),
    })),
    balances: Object.fromEntries([...balances].map(([currency, held]) => [currency, balancesJson(currency, held)])),
  };
}

/** The ledger accounts that operators need to see. */
const SHOWN_ACCOUNTS = ['available', 'reserved', 'owed'] as const;

/** Amounts with the currency's decimals; owed as a positive amount. */
export function balancesJson(currency: Currency, balances: Balances): Record<(typeof SHOWN_ACCOUNTS)[number], string> {
  const amount = (minor: bigint) => formatAmount({ currency, minor });
  return {
    available: amount(balanceOf(balances, 'available')),
    reserved: amount(balanceOf(balances, 'reserved')),
    owed: amount(-balanceOf(balances, 'owed')),
  };
}

export function merchantRecordText(record: MerchantRecord): string {
  const { merchant } = record;
  const profile = formatFacts([
    ['name', merchant.name],
    ['state', merchant.state],
    ['created', humanTime(merchant.createdAt)],
    ['site URL', merchant.siteUrl],
    ['process URL', merchant.processUrl],
    ['success URL', merchant.successUrl],
    ['fail URL', merchant.failUrl],
    ['payout callback URL', merchant.payoutCallbackUrl],
    ['event URL', merchant.eventUrl],
  ]);
  const settings = Object.entries(merchant.settings.raw).sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    formatSection(`Merchant ${merchant.merchantId}`, profile),
    formatSection('Settings', formatTable(['NAME', 'VALUE'], settings, 'all at their defaults')),
    formatSection('Keys', keyTable(record)),
    formatSection('Balances', balanceTable(record)),
  ].join('\n\n');
}

export const KEY_NAMES: Readonly<Record<KeyPurpose, string>> = { api: 'API key', form: 'form key' };

function keyTable({ merchant, keys }: MerchantRecord): string {
  const rows = keys.map((key) => [
    key.keyId,
    KEY_NAMES[key.purpose],
    humanTime(key.createdAt),
    key.retiresAt === null ? 'until rotated' : humanTime(key.retiresAt),
    humanTime(key.firstUsedAt),
    humanTime(key.lastUsedAt),
  ]);
  const table = formatTable(
    ['KEY', 'PURPOSE', 'CREATED', 'VALID UNTIL', 'FIRST USED', 'LAST USED'],
    rows,
    'none is valid',
  );
  const advice = formKeyAdvice(merchant, keys);
  return advice === undefined ? table : `${table}\n${advice}`;
}

/** Advice to the operator about the signature of form links. */
function formKeyAdvice({ merchantId, settings }: Merchant, keys: MerchantRecord['keys']): string | undefined {
  const formKeys = keys.filter(({ purpose }) => purpose === 'form');
  if (formKeys.length === 0)
    return `There is no form key: signed forms are rejected. Make one: gateway key rotate ${merchantId} --purpose form`;
  const isUsed = formKeys.some(({ firstUsedAt }) => firstUsedAt !== null);
  if (!isUsed || settings.form_sign === 'required') return undefined;
  return `The merchant signs forms: reject unsigned ones with gateway merchant edit ${merchantId} --set form_sign=required`;
}

function balanceTable({ balances }: MerchantRecord): string {
  const rows = [...balances].map(([currency, held]) => [currency, ...Object.values(balancesJson(currency, held))]);
  return formatTable(['CURRENCY', ...SHOWN_ACCOUNTS.map((name) => name.toUpperCase())], rows, 'no money yet');
}
