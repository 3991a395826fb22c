/** What Token.io checks in an order before it carries it out. Holds no state but the list of banks. */
import { toCents } from './amounts.ts';
import { bankOf } from './bank-list.ts';
import type { Initiation } from './book.ts';
import { bankFeatureNotSupported, invalid, malformed, missing, type Refusal } from './errors.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Read<Order> = { readonly order: Order } | { readonly refusal: Refusal };

/** What payers may pay to. */
export interface SettlementAccount {
  readonly id: string;
  readonly iban: string;
  readonly name: string;
}

const instruments = ['SEPA', 'SEPA_INSTANT'];
const flowTypes = ['API_ONLY', 'EMBEDDED_HOSTED_PAGES'];
const plainText = /^[A-Za-z0-9-]+$/;

export function readInitiation(body: unknown, account: SettlementAccount): Read<Initiation> {
  const sent = fieldsOf(asFields(body), 'initiation');
  const [amount, creditor] = [fieldsOf(sent, 'amount'), fieldsOf(sent, 'creditor')];
  const t = (name: string) => text(sent, name);
  const needed = ['refId', 'remittanceInformationPrimary', 'localInstrument', 'callbackUrl', 'flowType', 'bankId'];
  const absent = needed.find((name) => t(name) === '');
  if (absent !== undefined) return refuse(missing(`initiation.${absent}`));
  if (creditor === undefined) return refuse(missing('initiation.creditor'));
  if (!plainText.test(t('refId')) || t('refId').length > 18) return refuse(malformed('initiation.refId'));
  const reference = t('remittanceInformationPrimary');
  if (!plainText.test(reference) || reference.length > 35)
    return refuse(malformed('initiation.remittanceInformationPrimary'));
  if (t('remittanceInformationSecondary').length > 140)
    return refuse(malformed('initiation.remittanceInformationSecondary'));
  if (text(amount, 'currency') !== 'EUR') return refuse(invalid('initiation.amount.currency'));
  if (toCents(text(amount, 'value')) === undefined) return refuse(malformed('initiation.amount.value'));
  if (!flowTypes.includes(t('flowType'))) return refuse(invalid('initiation.flowType'));
  if (!instruments.includes(t('localInstrument'))) return refuse(invalid('initiation.localInstrument'));
  if (!/^https?:$/.test(URL.parse(t('callbackUrl'))?.protocol ?? ''))
    return refuse(malformed('initiation.callbackUrl'));
  if (text(creditor, 'virtualAccountId') !== account.id) return refuse(invalid('initiation.creditor.virtualAccountId'));
  const bank = bankOf(t('bankId'));
  if (bank === undefined) return refuse(invalid('initiation.bankId'));
  if (!bank.supportsSinglePayment || !bank.instruments.includes(t('localInstrument')))
    return refuse(bankFeatureNotSupported);
  return {
    order: {
      refId: t('refId'),
      amount: text(amount, 'value'),
      reference,
      bankId: bank.id,
      callbackUrl: t('callbackUrl'),
      callbackState: t('callbackState'),
      localInstrument: t('localInstrument'),
      payee: t('remittanceInformationSecondary') || account.name,
      sent: sent ?? {},
    },
  };
}

export interface RefundRequest {
  readonly refId: string;
  readonly amount: string;
  readonly originalPaymentId: string;
  readonly sent: Fields;
}

export function readRefund(body: unknown): Read<RefundRequest> {
  const sent = fieldsOf(asFields(body), 'initiation');
  const amount = fieldsOf(sent, 'amount');
  const needed = ['refId', 'originalPaymentId', 'localInstrument', 'description'];
  const absent = needed.find((name) => text(sent, name) === '');
  if (absent !== undefined) return refuse(missing(`initiation.${absent}`));
  const refId = text(sent, 'refId');
  if (!plainText.test(refId) || refId.length > 18) return refuse(malformed('initiation.refId'));
  if (!instruments.includes(text(sent, 'localInstrument'))) return refuse(invalid('initiation.localInstrument'));
  if (text(amount, 'currency') !== 'EUR') return refuse(invalid('initiation.amount.currency'));
  if (toCents(text(amount, 'value')) === undefined) return refuse(malformed('initiation.amount.value'));
  const originalPaymentId = text(sent, 'originalPaymentId');
  return { order: { refId, amount: text(amount, 'value'), originalPaymentId, sent: sent ?? {} } };
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function fieldsOf(fields: Fields | undefined, name: string): Fields | undefined {
  return asFields(fields?.[name]);
}

function text(fields: Fields | undefined, name: string): string {
  const value = fields?.[name];
  return typeof value === 'string' ? value : '';
}

const refuse = (refusal: Refusal) => ({ refusal });
