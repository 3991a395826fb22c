/**
 * A minimal worker: it sends queued payouts to the bank and calls their merchants back. It uses the gateway's rail, callback
 * transport, HTTP clients and group commit, with narrow rows. It looks up, decrypts and decides nothing.
 */
import { createServer } from 'node:http';
import type { Callback } from '../../src/domain/callbacks/callback.ts';
import { keysByPurpose } from '../../src/domain/merchants/merchant.ts';
import { SECOND_MS, systemClock } from '../../src/foundation/clock.ts';
import { createDeadlines } from '../../src/foundation/deadline.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { createHttpCallbackTransport } from '../../src/protocol/callbacks/http-callback-transport.ts';
import { createProviderHttp } from '../../src/rails/kit/provider-http.ts';
import { createWayForPayPayoutRail } from '../../src/rails/wayforpay/payout-rail.ts';
import { createGroupCommit } from '../../src/storage/core/commits/group-commit.ts';
import { openDatabase } from '../../src/storage/core/database.ts';
import { testKey } from '../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../test/support/merchants/merchant-named.ts';
import { COMMIT_LIMITS } from '../floors/batch-commits.ts';
import { type DrainFloorOrder, NARROW_DRAIN } from '../floors/narrow-drain.ts';
import { MERCHANTS, merchantOf } from '../stage/bench-merchants.ts';

const order: DrainFloorOrder = JSON.parse(process.env['DRAIN'] ?? '');
const { bankUrl, concurrency, payouts } = order;

const rail = createWayForPayPayoutRail(
  { ...order, url: bankUrl, secretKey: new Secret(order.secretKey), simulated: true },
  {
    http: createProviderHttp({ baseUrl: bankUrl, connections: concurrency }),
    hooks: { onCredentialRefused: () => {} },
  },
);
const deadlines = createDeadlines(systemClock, rail.timeoutMs);
const policy = { development: true, extraPorts: new Set<number>() };
const transport = createHttpCallbackTransport({ policy, mode: 'sandbox', clock: systemClock });
const keys = keysByPurpose([testKey(order.merchantKey)]);
const recipients = Array.from({ length: MERCHANTS }, (_, index) => ({
  merchant: merchantNamed(merchantOf(index, MERCHANTS), { processUrl: order.receiverUrl }),
  keys,
}));

const database = openDatabase(order.connection, { poolSize: 4, actAsApp: false });
const commitsOf = (name: string, statement: string) =>
  createGroupCommit<number, true>({
    ...COMMIT_LIMITS,
    clock: systemClock,
    flush: async (numbers) => {
      await database.prepared(name, statement, [numbers]);
      return numbers.map(() => true);
    },
  });
const settling = commitsOf('settle-narrow', NARROW_DRAIN.settle);
const acknowledging = commitsOf('acknowledge-narrow', NARROW_DRAIN.acknowledge);

const startedAt = systemClock.now();
const never = new AbortController().signal;
const account = new Secret('5555555555554444');
/** A bank keeps its book between two scenarios, so the reference contains the time. */
const referenceOf = (number: number) =>
  `P${startedAt.toString(16).padStart(12, '0')}${number.toString(16).padStart(16, '0')}`.toUpperCase();

async function send(number: number): Promise<void> {
  const sent = {
    reference: referenceOf(number),
    remittance: '',
    purpose: 'payout',
    method: 1,
    money: { currency: 'UAH', minor: 100n },
    beneficiary: { account },
    sendUntil: systemClock.now() + rail.timeoutMs + SECOND_MS,
    delayed: false,
  } as const;
  const { kind } = await deadlines.within((deadline) => rail.send(sent, deadline));
  if (kind !== 'executed') throw new Error(`the bank answered ${kind}`);
  await settling.submit(number);
}

async function callBack(number: number): Promise<void> {
  const recipient = recipients[number % MERCHANTS];
  if (!recipient) throw new Error(`payout ${number} has no merchant`);
  const { outcome } = await transport.deliver(callbackOf(number, recipient.merchant.merchantId), recipient, never);
  if (outcome !== 'accepted') throw new Error(`the receiver answered ${outcome}`);
  await acknowledging.submit(number);
}

function callbackOf(number: number, merchantId: string): Callback {
  const payoutId = `P${number.toString().padStart(12, '0')}`;
  const result = { status: 'Success', code: '00', description: 'Success', amount: '1.00', currency: 'UAH' };
  return {
    merchantId,
    callbackId: `payout_${payoutId}`,
    subject: 'payout',
    subjectId: payoutId,
    payload: { merchant: merchantId, payout_id: payoutId, ...result },
    state: 'due',
    createdAt: startedAt,
    attempts: 0,
    scheduleStart: 0,
    firstAttemptAt: null,
    dueAt: startedAt,
    finishedAt: null,
  };
}

let claimed = 0;
let inFlight = 0;
let isClaiming = false;

/** Claims payouts whenever half of the bank's places are free, like the gateway. */
async function claim(): Promise<void> {
  if (isClaiming) return;
  isClaiming = true;
  while (claimed < payouts && inFlight <= concurrency / 2) {
    const first = claimed;
    claimed = Math.min(payouts, claimed + concurrency - inFlight);
    inFlight += claimed - first;
    await database.prepared('claim-narrow', NARROW_DRAIN.claim, [first, claimed - 1]);
    for (let number = first; number < claimed; number++) void pay(number);
  }
  isClaiming = false;
}

/** A failure ends the process and so the measurement. */
async function pay(number: number): Promise<void> {
  await send(number);
  inFlight -= 1;
  void claim();
  await callBack(number);
}

createServer((_request, response) => response.end()).listen(Number(process.argv[2]), '127.0.0.1');
void claim();
