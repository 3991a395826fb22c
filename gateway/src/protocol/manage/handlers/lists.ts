/** The lists of payments: one handler for all, and the view of each item. */
import type {
  LIST_ENDPOINTS,
  ListedLedgerLine,
  ListedTransfer,
  Payment,
  Refund,
} from '../../../../contract/endpoints/lists.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import type { ListName, ListStore, Lists } from '../../../domain/lists/list-store.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import { formatAmount } from '../../../foundation/money.ts';
import { ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { type AnyListQuery, readListQuery, viewPage } from '../lists/list-query.ts';
import { viewCallback } from '../views/callback-view.ts';
import { viewAttempt, viewDeposit, viewTransfer } from '../views/deposit-views.ts';
import { viewLedgerLine } from '../views/ledger-views.ts';
import { type Mask, maskFor } from '../views/mask.ts';
import { viewPayout } from '../views/payout-view.ts';
import { viewRequest } from './requests.ts';

export const LIST_VIEWS = {
  payouts: viewPayout,
  refunds: viewRefund,
  deposits: viewDeposit,
  payments: viewPayment,
  transfers: viewListedTransfer,
  callbacks: viewCallback,
  requests: viewRequest,
  ledger: viewListedLine,
} as const satisfies { readonly [Name in ListName]: (item: Lists[Name], mask: Mask) => unknown };

export function listHandlers({ lists }: GatewayOperations): HandlersOf<typeof LIST_ENDPOINTS> {
  return {
    'payouts.list': createList(lists, 'payouts', viewPayout),
    'refunds.list': createList(lists, 'refunds', viewRefund),
    'deposits.list': createList(lists, 'deposits', viewDeposit),
    'payments.list': createList(lists, 'payments', viewPayment),
    'transfers.list': createList(lists, 'transfers', viewListedTransfer),
    'callbacks.list': createList(lists, 'callbacks', viewCallback),
    'requests.list': createList(lists, 'requests', viewRequest),
    'ledger.list': createList(lists, 'ledger', viewListedLine),
  };
}

function createList<Name extends ListName, View>(
  lists: ListStore,
  name: Name,
  view: (item: Lists[Name], mask: Mask) => View,
) {
  return async ({ query, caller }: { readonly query: AnyListQuery; readonly caller: Caller }) => {
    const wanted = readListQuery(name, query, caller);
    if (!wanted.ok) return wanted;
    const mask = maskFor(caller);
    return ok({ answer: viewPage(await lists[name](wanted.value), (item) => view(item, mask)) });
  };
}

function viewRefund({ payout, ...refund }: Lists['refunds'], mask: Mask): Refund {
  return { ...viewPayout(payout, mask), ...refund };
}

function viewPayment(attempt: Lists['payments']): Payment {
  const { merchantId, orderId, transactionId, money } = attempt;
  return {
    ...viewAttempt(attempt),
    merchantId,
    orderId,
    transactionId,
    amount: formatAmount(money),
    currency: money.currency,
  };
}

function viewListedLine(line: Lists['ledger']): ListedLedgerLine {
  return { ...viewLedgerLine(line), merchantId: line.merchantId, line: line.line };
}

function viewListedTransfer(transfer: Lists['transfers'], mask: Mask): ListedTransfer {
  return { ...viewTransfer(transfer, mask), orderId: transfer.orderId };
}
