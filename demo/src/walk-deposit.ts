/**
 * Shows one SPEI deposit step by step: requested over HTTP as a merchant does, paid at STP's simulator, called back, and
 * checked in the ledger. Each step verifies what it prints, or throws a one-sentence error.
 */
import { type Accounts, decimal, openBooks } from './check-ledger.ts';
import type { Delivery } from './delivery.ts';
import { DemoFailure } from './demo-failure.ts';
import { DEPOSIT, depositRequest, PAYER_NAME } from './deposit-example.ts';
import { type Fields, isSignedText } from './merchant-signatures.ts';
import { balanceRequest, type Sender } from './payout-examples.ts';
import type { StpSide } from './providers/stp.ts';
import { screen } from './screen.ts';
import { PATIENCE_MS, type WalkParts } from './walk-payout.ts';

interface DepositWalkParts extends Omit<WalkParts, 'provider'> {
  readonly stp: StpSide;
  /** Called with the CLABE before a payer can pay to it. */
  readonly onClabe: (clabe: string) => void;
}

type DepositRecord = NonNullable<Awaited<ReturnType<WalkParts['operations']['deposits']['find']>>>;

export interface WalkedDeposit {
  readonly deposit: DepositRecord['deposit'];
  readonly delivery: Delivery;
  /** This time and the next are in milliseconds since the epoch. */
  readonly sentAt: number;
  readonly paidAt: number;
}

/** The fields of the response. */
interface PayTo {
  readonly clabe: string;
  readonly beneficiary: string;
}

interface Reply extends PayTo {
  readonly order: string;
  readonly status: string;
  readonly description: string;
}

export async function walkDeposit(parts: DepositWalkParts, order: string): Promise<WalkedDeposit> {
  const { sender, signal } = parts;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const books = await openBooks(parts, DEPOSIT.currency);
  const sentAt = Date.now();
  const { clabe, beneficiary } = await createDeposit(sender, order, patience);
  parts.onClabe(clabe);
  screen.done('To pay', `${DEPOSIT.amount} ${DEPOSIT.currency} to CLABE ${clabe}, beneficiary ${beneficiary}`);
  const paidAt = Date.now();
  const claveRastreo = order.replaceAll('-', '');
  const { monto } = await parts.stp.pay({ clabe, amount: DEPOSIT.amount, name: PAYER_NAME, claveRastreo });
  screen.done('Payer', `their bank sends ${monto} MXN through STP, tracking key ${claveRastreo}`);
  const delivery = await callbackOf(parts, order, patience);
  const { deposit } = await recordOf(parts, order);
  checkCallback(delivery, deposit, paidAt);
  const balance = await askBalance(sender, patience);
  await books.check(expectedMoves(deposit), `the merchant’s balance: ${balance} ${DEPOSIT.currency} available`);
  return { deposit, delivery, sentAt, paidAt };
}

async function createDeposit(sender: Sender, order: string, signal: AbortSignal): Promise<PayTo> {
  const { url, headers, body } = depositRequest(sender, order);
  const began = performance.now();
  const answer = await fetch(url, { method: 'POST', headers, body, signal });
  const text = await answer.text();
  const elapsed = Math.round(performance.now() - began);
  const reply = (answer.status === 200 ? JSON.parse(text) : {}) as Partial<Reply>;
  const { status, description, clabe, beneficiary } = reply;
  if (status !== 'success' || !clabe || !beneficiary) {
    const hint = description === 'Sign error' ? ': was its key rotated? Delete demo-merchant.json for a new one' : '';
    throw new DemoFailure(
      `The gateway responded to the deposit with ${status ?? `HTTP ${answer.status}`} "${description}"${hint}`,
    );
  }
  // The payer pays to this CLABE, so the response must be authentic.
  if (!isSignedText(text, answer.headers.get('x-sign'), sender.key))
    throw new DemoFailure('The X-Sign of the gateway’s response is invalid');
  if (reply.order !== order) throw new DemoFailure(`The gateway’s response has the order ${reply.order}, not ${order}`);
  screen.done('Request', `${order}: ${DEPOSIT.amount} ${DEPOSIT.currency}, X-Sign over the bytes of its body`);
  screen.done('Reply', `${status} (${description}) after ${elapsed} ms, X-Sign valid; nothing is paid yet`);
  return { clabe, beneficiary };
}

async function callbackOf(parts: DepositWalkParts, order: string, patience: AbortSignal): Promise<Delivery> {
  try {
    return await parts.inbox.callbackOf(order, patience);
  } catch {
    parts.signal.throwIfAborted();
    const { deposit, pending } = await recordOf(parts, order);
    const waits = `it is ${deposit.state} (${pending?.reason ?? 'waits for nothing'})`;
    throw new DemoFailure(
      `No callback for ${order} arrived within ${PATIENCE_MS / 1_000} s; ${waits}: see gateway.log`,
    );
  }
}

async function recordOf({ operations, sender }: DepositWalkParts, order: string): Promise<DepositRecord> {
  const record = await operations.deposits.find(sender.merchantId, order);
  if (!record) throw new DemoFailure(`The gateway does not find the deposit ${order} that it created`);
  return record;
}

function checkCallback({ fields, receivedAt }: Delivery, deposit: DepositRecord['deposit'], paidAt: number): void {
  const expected = {
    co_inv_id: String(deposit.transactionId),
    co_inv_st: 'success',
    co_merchant_id: deposit.merchantId,
    co_amount: DEPOSIT.amount,
    co_cur: DEPOSIT.currency,
    co_base_amount: DEPOSIT.amount,
    co_to_wlt: decimal(deposit.received - deposit.fee),
  };
  const wrong = Object.entries(expected).find(([name, text]) => fields[name] !== text);
  if (wrong) throw new DemoFailure(`The callback's ${wrong[0]} is "${fields[wrong[0]]}" instead of "${wrong[1]}"`);
  screen.done(
    'Callback',
    `${expected.co_inv_st} ${receivedAt - paidAt} ms after the payment; co_sign, X-Sign and webhook-signature valid`,
  );
}

/** Returns the changes that a deposit makes, by account. */
function expectedMoves({ received, fee, rail }: DepositRecord['deposit']): Accounts {
  return { [`clearing:${rail}`]: -received, available: received - fee, ...(fee > 0n ? { fees: fee } : {}) };
}

async function askBalance(sender: Sender, signal: AbortSignal): Promise<string> {
  const { url, body } = balanceRequest(sender, DEPOSIT.currency);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
  const { status, balance } = (await answer.json()) as Fields;
  if (status !== 'Success' || !balance)
    throw new DemoFailure(`The gateway responded to the balance request with HTTP ${answer.status}`);
  return balance;
}
