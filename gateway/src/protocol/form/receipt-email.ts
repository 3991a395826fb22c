/**
 * Writes a receipt as an email. It contains the order of a signed link and no other text of the link
 * (decision 59), and only the brand and the last four digits of a card.
 */
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PaidDeposit, ReceiptAddress } from '../../domain/payments/receipt-email-store.ts';
import type { ReceiptMessage } from '../../domain/payments/send-receipt-emails.ts';
import { amountText, catalogueOf, momentText } from './languages/languages.ts';
import { methodText, paidAttempt, receiptOf } from './pages/receipt-of.ts';

/** `simulated` contains the names of the rails that move no real money. */
export function writeReceiptEmail(
  { state, name, settings }: Pick<Merchant, 'state' | 'name' | 'settings'>,
  { deposit, attempts }: PaidDeposit,
  { email, language, timeZone, isSigned }: ReceiptAddress,
  simulated: ReadonlySet<string>,
): ReceiptMessage {
  const { receipt: texts, ended, testMode, receiptEmail } = catalogueOf(language);
  const shop = settings.display_name ?? name;
  const support = settings.support_contact;
  const receipt = receiptOf(deposit, attempts);
  const amount = amountText(receipt.money, language);
  const isTest = state === 'test' || simulated.has(paidAttempt(attempts)?.rail ?? '');
  const facts: readonly (readonly [label: string, value: string])[] = [
    [texts.paidTo, shop],
    [texts.amount, amount],
    [texts.date, momentText(receipt.paidAt, language, timeZone)],
    [texts.method, methodText(receipt, language)],
    ...(isSigned ? [[texts.order, deposit.orderId] as const] : []),
    [texts.transaction, String(receipt.transactionId)],
    ...(support === null ? [] : [[texts.help, support] as const]),
  ];
  const text = [
    ...(isTest ? [receiptEmail.line(testMode.badge, testMode.text), ''] : []),
    ended.paidText(shop, amount),
    '',
    ...facts.map(([label, value]) => receiptEmail.line(label, value)),
    '',
    receiptEmail.why(shop),
  ].join('\n');
  const replyTo = support?.includes('@') && !support.includes('/') ? { replyTo: support } : {};
  return { to: email, subject: receiptEmail.subject(shop, amount), text, ...replyTo };
}
