/** Mastercard's representation of disbursements and errors. All amounts and counts are strings. */
import type { Reply } from '../kernel/http-server.ts';
import type { BookEntry } from './book.ts';

export function disbursementView(entry: BookEntry): object {
  const { id, reference, amount, currency, maskedAccount, createdAt, status, at } = entry;
  const isOpen = status === 'UNKNOWN' || status === 'PENDING';
  const transaction = {
    id: id.replace('dsb_', 'txn_'),
    resource_type: 'transaction',
    account_uri: `pan:${maskedAccount}`,
    transaction_amount: { value: amount, currency },
    network: 'MasterCard',
    funds_availability: 'IMMEDIATE',
    type: 'PAYMENT',
    create_timestamp: createdAt,
    status,
    status_timestamp: at,
    ...(isOpen ? {} : { status_reason: entry.statusReason, network_status_code: entry.networkCode }),
  };
  return {
    id,
    resource_type: 'disbursement',
    payment_type: entry.paymentType,
    disbursement_reference: reference,
    funding_source: 'DEPOSIT_ACCOUNT',
    recipient_account_uri: `pan:${maskedAccount}`,
    disbursement_amount: { value: amount, currency },
    created: createdAt,
    transaction_history: { resource_type: 'list', item_count: '1', data: { transaction: [transaction] } },
    original_status: entry.originalStatus,
    status,
    status_timestamp: at,
  };
}

export function listView(entries: readonly BookEntry[]): object {
  const data = { disbursement: entries.map(disbursementView) };
  return { disbursements: { resource_type: 'list', item_count: String(entries.length), data } };
}

/** Returns an error of the product itself, in which `Recoverable` is a string. */
export function errorReply(status: number, Source: string, ReasonCode: string, code: string): Reply {
  const Details = { Detail: [{ Name: 'ErrorDetailCode', Value: code }] };
  const error = {
    RequestId: 'rqst_simulated',
    Source,
    ReasonCode,
    Description: ReasonCode,
    Recoverable: 'false',
    Details,
  };
  return { status, body: { Errors: { Error: [error] } } };
}

/** Returns an error of Mastercard's API gateway, in which `Recoverable` is a boolean. */
export function gatewayRefusal(ReasonCode: string): Reply {
  const error = { Source: 'Gateway', ReasonCode, Description: ReasonCode, Recoverable: false, Details: null };
  return { status: 401, body: { Errors: { Error: [error] } } };
}
