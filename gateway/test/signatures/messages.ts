/**
 * Every message signed with the MD5 scheme, with its covered fields and the strings that each field accepts. Merchants'
 * requests use the gateway's own tables and formats; responses and callbacks use the gateway's output.
 */
import { PAYOUT_RESULTS } from '../../src/domain/payouts/payout.ts';
import { isCurrency } from '../../src/foundation/currency.ts';
import { isId, isIdOfOne } from '../../src/foundation/identifiers.ts';
import { FORM_SIGNED } from '../../src/protocol/form/request/read-form-request.ts';
import { isAmount } from '../../src/protocol/formats/field-formats.ts';
import { methodNumber } from '../../src/protocol/payout/authenticate-request.ts';
import { FORMATS } from '../../src/protocol/payout/formats.ts';
import { PAYOUT_METHODS, type PayoutMethod } from '../../src/protocol/payout/method-table.ts';
import { BALANCE_SIGNED } from '../../src/protocol/payout/payment-balance.ts';
import { LIST_SIGNED } from '../../src/protocol/payout/payment-list.ts';
import { STATUS_SIGNED } from '../../src/protocol/payout/payout-status.ts';
import type { SignedSet } from '../../src/protocol/signatures/merchant-signature.ts';

export type Key = 'api' | 'form' | 'empty';

/** Returns whether a field accepts the text. `merchant` is the owner of the signing key. */
export type Holds = (text: string, merchant: string) => boolean;

export interface SignedMessage {
  readonly name: string;
  readonly key: Key;
  readonly fields: Readonly<Record<string, Holds>>;
}

const NOW = Date.UTC(2026, 10, 20, 12);

const isOneOf =
  (...texts: readonly string[]): Holds =>
  (text) =>
    texts.includes(text);
const isMerchant: Holds = (text, merchant) => text === merchant;
const isMoney: Holds = (text) => /^\d+\.\d\d$/.test(text);
const isTime: Holds = (text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);
const isDate: Holds = (text, merchant) => /^\d{4}-\d\d-\d\d$/.test(text) || isTime(text, merchant);
const isNumber: Holds = (text) => /^\d{1,16}$/.test(text);

/** The strings that each field of a query accepts. */
const QUESTION_FIELDS: Readonly<Record<string, Holds>> = {
  merchant: isMerchant,
  payout_id: isIdOfOne,
  currency: isCurrency,
  order: isId,
  start_date: isDate,
  finish_date: isDate,
  status: isOneOf('all', 'pending', 'success', 'blocked', 'fail'),
  type: isOneOf('deposit', 'withdrawal'),
  after: isNumber,
  limit: isNumber,
};

function question(name: string, { mandatory }: SignedSet, optional: readonly string[] = []): SignedMessage {
  const holds = (field: string): Holds => QUESTION_FIELDS[field] ?? (() => false);
  return { name, key: 'api', fields: Object.fromEntries([...mandatory, ...optional].map((f) => [f, holds(f)])) };
}

function payout(method: PayoutMethod): SignedMessage {
  const holds = (name: string): Holds => {
    if (name === 'merchant') return isMerchant;
    if (name === 'method') return (text) => methodNumber(text) === method.number;
    if (name === 'currency') return isOneOf(method.currency);
    if (name === 'payout_id') return isIdOfOne;
    const field = method.fields.find((one) => one.name === name);
    return (text) =>
      field !== undefined &&
      text.length <= field.maxLength &&
      FORMATS[field.format](text, { now: NOW, checkInn: false });
  };
  const fields = Object.fromEntries(method.signed.mandatory.map((name) => [name, holds(name)]));
  return { name: `payout ${method.number}`, key: 'api', fields };
}

const PAYOUT_REPLY = {
  status: isOneOf(...PAYOUT_RESULTS.map(({ status }) => status)),
  code: isOneOf(...PAYOUT_RESULTS.map(({ code }) => code)),
  payout_id: isIdOfOne,
  description: isOneOf(...PAYOUT_RESULTS.map(({ text }) => text)),
};

const DEPOSIT_CALLBACK: Readonly<Record<string, Holds>> = {
  co_inv_id: isNumber,
  co_inv_crt: isTime,
  co_inv_prc: isTime,
  co_inv_st: isOneOf('success', 'fail'),
  co_order_no: isIdOfOne,
  co_merchant_id: isMerchant,
  co_merchant_uuid: isMerchant,
  co_amount: isMoney,
  co_cur: isCurrency,
  co_base_amount: isMoney,
  co_base_currency: isCurrency,
  co_to_wlt: isMoney,
};

export const FORM: SignedMessage = {
  name: 'form',
  key: 'form',
  fields: Object.fromEntries(
    FORM_SIGNED.mandatory.map((name) => [name, name === 'amount' ? isAmount : (QUESTION_FIELDS[name] ?? isIdOfOne)]),
  ),
};

/** Messages from merchants. */
export const REQUESTS: readonly SignedMessage[] = [
  ...PAYOUT_METHODS.map(payout),
  question('status', STATUS_SIGNED),
  question('balance', BALANCE_SIGNED),
  question('list', LIST_SIGNED),
  question('list after', LIST_SIGNED, ['after']),
  question('list limit', LIST_SIGNED, ['limit']),
  question('list after limit', LIST_SIGNED, ['after', 'limit']),
  FORM,
];

/** Messages from the gateway. */
const ANSWERS: readonly SignedMessage[] = [
  { name: 'payout reply', key: 'api', fields: PAYOUT_REPLY },
  {
    name: 'balance reply',
    key: 'api',
    fields: { status: isOneOf('Success'), currency: isCurrency, balance: isMoney, reserved: isMoney },
  },
  {
    name: 'error reply',
    key: 'empty',
    fields: {
      status: isOneOf('Error'),
      code: isOneOf('99'),
      payout_id: isOneOf(''),
      description: (text) => /^(?:Sign error|Payout not found|Invalid \w+)$/.test(text),
    },
  },
  {
    name: 'payout callback',
    key: 'api',
    fields: { ...PAYOUT_REPLY, merchant: isMerchant, amount: isMoney, currency: isCurrency },
  },
  { name: 'deposit callback', key: 'api', fields: DEPOSIT_CALLBACK },
  { name: 'deposit callback with rate', key: 'api', fields: { ...DEPOSIT_CALLBACK, co_rate: isMoney } },
];

export const MESSAGES: readonly SignedMessage[] = [...REQUESTS, ...ANSWERS];
