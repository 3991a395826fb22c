/** Merchants as text. */
import type { MerchantRecord } from '../../../contract/endpoints/merchants.ts';
import type { KeyPurpose } from '../../domain/merchants/merchant.ts';
import { formatFacts, formatSection, formatTable, humanIsoTime } from '../command-output.ts';

export function merchantRecordText(record: MerchantRecord): string {
  const merchant = record;
  const profile = formatFacts([
    ['name', merchant.name],
    ['state', merchant.state],
    ['created', humanIsoTime(merchant.createdAt)],
    ['site URL', merchant.siteUrl],
    ['process URL', merchant.processUrl],
    ['success URL', merchant.successUrl],
    ['fail URL', merchant.failUrl],
    ['payout callback URL', merchant.payoutCallbackUrl],
    ['event URL', merchant.eventUrl],
  ]);
  const settings = Object.entries(merchant.settings).sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    formatSection(`Merchant ${merchant.merchantId}`, profile),
    formatSection('Settings', formatTable(['NAME', 'VALUE'], settings, 'Each setting has its default.')),
    formatSection('Keys', keyTable(record)),
    formatSection('Balances', balanceTable(record)),
    formatSection('Conformance', conformanceText(record)),
  ].join('\n\n');
}

export const KEY_NAMES: Readonly<Record<KeyPurpose, string>> = { api: 'API key', form: 'form key' };

function keyTable(merchant: MerchantRecord): string {
  const { keys } = merchant;
  const rows = keys.map((key) => [
    key.keyId,
    KEY_NAMES[key.purpose],
    humanIsoTime(key.createdAt),
    key.validUntil === null ? 'until rotated' : humanIsoTime(key.validUntil),
    humanIsoTime(key.firstUsedAt),
    humanIsoTime(key.lastUsedAt),
  ]);
  const table = formatTable(
    ['KEY', 'PURPOSE', 'CREATED', 'VALID UNTIL', 'FIRST USED', 'LAST USED'],
    rows,
    'none is valid',
  );
  const advice = formKeyAdvice(merchant);
  return advice === undefined ? table : `${table}\n${advice}`;
}

/** Advises the operator about the signature of form links. */
function formKeyAdvice({ merchantId, settings, keys }: MerchantRecord): string | undefined {
  const formKeys = keys.filter(({ purpose }) => purpose === 'form');
  if (formKeys.length === 0)
    return `There is no form key, so signed forms are rejected. Create one: gateway key rotate ${merchantId} --purpose form`;
  const isUsed = formKeys.some(({ firstUsedAt }) => firstUsedAt !== null);
  if (!isUsed || settings['form_sign'] === 'required') return undefined;
  return `The merchant signs forms: reject unsigned forms with gateway merchant edit ${merchantId} --set form_sign=required`;
}

function conformanceText({ conformance }: MerchantRecord): string {
  if (conformance === null) return 'no run was recorded: gateway conform … --record';
  const { recordedAt, address, passed, examined, isPassed, findings } = conformance;
  const score = `${isPassed ? 'passed' : 'not passed'}: ${passed} of ${examined} checks, ${humanIsoTime(recordedAt)}, ${address}`;
  return [
    score,
    ...findings.map(({ name, state, found }) => `${state === 'failed' ? '✗' : '–'} ${name}: ${found}`),
  ].join('\n');
}

function balanceTable({ balances }: MerchantRecord): string {
  const rows = balances.map(({ currency, available, reserved, owed }) => [currency, available, reserved, owed]);
  return formatTable(['CURRENCY', 'AVAILABLE', 'RESERVED', 'OWED'], rows, 'No money yet.');
}
