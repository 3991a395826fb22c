/** Token.io's checks of a payment request before it is processed. Its only state is the bank list. */
import { toCents } from '../kernel/amounts.ts';
import { asFields, type Fields, isHttpUrl, isObject, textOf } from '../kernel/fields.ts';
import { bankOf } from './banks.ts';
import type { Initiation } from './book.ts';
import { BANK_FEATURE_NOT_SUPPORTED, invalid, malformed, missing, type Refusal } from './errors.ts';

export type Read<Order> = { readonly order: Order } | { readonly refusal: Refusal };

/** The account that receives the payments. */
export interface SettlementAccount {
  readonly id: string;
  readonly iban: string;
  readonly name: string;
}

const INSTRUMENTS = ['SEPA', 'SEPA_INSTANT'];
const FLOW_TYPES = ['API_ONLY', 'EMBEDDED_HOSTED_PAGES'];
const PLAIN_TEXT = /^[A-Za-z0-9-]+$/;
/** Up to four decimals, of which only the first two may differ from zero. */
const isAmount = (text: string) => toCents(text.replace(/(\.\d\d)0{1,2}$/, '$1')) !== undefined;

export function readInitiation(body: unknown, account: SettlementAccount): Read<Initiation> {
  const sent = asFields(asFields(body)['initiation']);
  const [amount, creditor] = [asFields(sent['amount']), sent['creditor']];
  const t = (name: string) => textOf(sent, name);
  const needed = ['refId', 'remittanceInformationPrimary', 'localInstrument', 'callbackUrl', 'flowType', 'bankId'];
  const absent = needed.find((name) => t(name) === '');
  if (absent !== undefined) return refuse(missing(`initiation.${absent}`));
  if (!isObject(creditor)) return refuse(missing('initiation.creditor'));
  if (!PLAIN_TEXT.test(t('refId')) || t('refId').length > 18) return refuse(malformed('initiation.refId'));
  const reference = t('remittanceInformationPrimary');
  if (!PLAIN_TEXT.test(reference) || reference.length > 35)
    return refuse(malformed('initiation.remittanceInformationPrimary'));
  if (t('remittanceInformationSecondary').length > 140)
    return refuse(malformed('initiation.remittanceInformationSecondary'));
  if (textOf(amount, 'currency') !== 'EUR') return refuse(invalid('initiation.amount.currency'));
  if (!isAmount(textOf(amount, 'value'))) return refuse(malformed('initiation.amount.value'));
  if (!FLOW_TYPES.includes(t('flowType'))) return refuse(invalid('initiation.flowType'));
  if (!INSTRUMENTS.includes(t('localInstrument'))) return refuse(invalid('initiation.localInstrument'));
  if (!isHttpUrl(t('callbackUrl'))) return refuse(malformed('initiation.callbackUrl'));
  if (textOf(creditor, 'virtualAccountId') !== account.id)
    return refuse(invalid('initiation.creditor.virtualAccountId'));
  const bank = bankOf(t('bankId'));
  if (bank === undefined) return refuse(invalid('initiation.bankId'));
  if (!bank.supportsSinglePayment || !bank.instruments.includes(t('localInstrument')))
    return refuse(BANK_FEATURE_NOT_SUPPORTED);
  return {
    order: {
      refId: t('refId'),
      amount: textOf(amount, 'value'),
      reference,
      bankId: bank.id,
      callbackUrl: t('callbackUrl'),
      callbackState: t('callbackState'),
      localInstrument: t('localInstrument'),
      payee: t('remittanceInformationSecondary') || account.name,
      sent,
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
  const sent = asFields(asFields(body)['initiation']);
  const amount = asFields(sent['amount']);
  const needed = ['refId', 'originalPaymentId', 'localInstrument', 'description'];
  const absent = needed.find((name) => textOf(sent, name) === '');
  if (absent !== undefined) return refuse(missing(`initiation.${absent}`));
  const refId = textOf(sent, 'refId');
  if (!PLAIN_TEXT.test(refId) || refId.length > 18) return refuse(malformed('initiation.refId'));
  if (!INSTRUMENTS.includes(textOf(sent, 'localInstrument'))) return refuse(invalid('initiation.localInstrument'));
  if (textOf(amount, 'currency') !== 'EUR') return refuse(invalid('initiation.amount.currency'));
  if (!isAmount(textOf(amount, 'value'))) return refuse(malformed('initiation.amount.value'));
  const originalPaymentId = textOf(sent, 'originalPaymentId');
  return { order: { refId, amount: textOf(amount, 'value'), originalPaymentId, sent } };
}

const refuse = (refusal: Refusal) => ({ refusal });
