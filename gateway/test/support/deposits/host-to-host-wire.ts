/**
 * The host-to-host API over real HTTP with in-memory stores, for tests of the protocol. The command behind it is the real one.
 * The tests sign requests by the documentation, without the gateway's signing code.
 */

import assert from 'node:assert/strict';
import { after, beforeEach } from 'node:test';
import type { Deposit } from '../../../src/domain/deposits/deposit.ts';
import type { DepositRail } from '../../../src/domain/deposits/deposit-rail.ts';
import { type OpenDepositParts, openDeposit } from '../../../src/domain/deposits/open-deposit.ts';
import { createManualClock, DAY_MS, type ManualClock } from '../../../src/foundation/clock.ts';
import { createSeededRandom } from '../../../src/foundation/random.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { COMPOSE } from '../../../src/main/compose/create-deposits.ts';
import { DEFAULT_RATES } from '../../../src/protocol/authentication/rate-limit.ts';
import { errorBodyFor } from '../../../src/protocol/error-envelopes.ts';
import { type HostToHostParts, hostToHostRoutes } from '../../../src/protocol/host2host/host-to-host-routes.ts';
import { createHttpServer } from '../../../src/protocol/http/http-server.ts';
import { createWireMerchants, WIRE_KEY, WIRE_START, type WireMerchants } from '../merchants/wire-merchants.ts';
import { post, type RequestFields, type WireAnswer, xSignHeaders } from '../payouts/payout-request.ts';

export const CREATE = '/api/v2/spei/host2host/create';

export interface HostToHostOptions {
  readonly defaultRates?: HostToHostParts['defaultRates'];
  /** If true, delayed responses wait until the test advances the clock. Otherwise no response is delayed. */
  readonly holdDelays?: boolean;
  /** Replaces parts of the command's store. */
  readonly store?: Partial<OpenDepositParts['store']>;
  readonly directory?: WireMerchants['directory'];
  readonly rails?: readonly DepositRail[];
}

export interface HostToHostWire {
  readonly url: string;
  readonly clock: ManualClock;
  /** The text `merchant kind` of each rejection, in order. */
  readonly refused: string[];
  readonly internalErrors: unknown[];
  readonly problems: unknown[];
  readonly keysUsed: string[];
  /** The created deposits in order. */
  readonly deposits: Deposit[];
  readonly addressesReleased: string[];
  readonly addMerchant: WireMerchants['add'];
  /** Sends a body with the merchant's signature, or with the given headers instead. */
  send(body: RequestFields | string | Buffer, headers?: Readonly<Record<string, string>>): Promise<WireAnswer>;
  stop(): Promise<void>;
}

export const WIRE_RAIL: DepositRail = {
  name: 'in_memory',
  paymentType: 'spei',
  currency: 'MXN',
  simulated: true,
  beneficiary: 'Shop of Shops',
  capacity: 1_000,
  addressOf: (number) => `64618049900${String(number).padStart(7, '0')}`,
  validityMs: DAY_MS,
  graceMs: 3 * DAY_MS,
};

/** A valid create request with `change` applied; `undefined` removes a field. */
export function depositRequest(change: RequestFields = {}): RequestFields {
  const example = {
    order: 'N17',
    amount: '100.00',
    currency: 'MXN',
    user_id: 'u-1',
    first_name: 'José',
    last_name: "Muñoz O'Neil",
  };
  return Object.fromEntries(Object.entries({ ...example, ...change }).filter(([, value]) => value !== undefined));
}

/** Starts a gateway in which merchant `M1` exists, with WIRE_KEY and default settings. */
export async function startHostToHostWire(options: HostToHostOptions = {}): Promise<HostToHostWire> {
  const clock = createManualClock(WIRE_START);
  const merchants = createWireMerchants(clock);
  const random = createSeededRandom('host-to-host wire');
  const wire = {
    url: '',
    clock,
    refused: [] as string[],
    internalErrors: [] as unknown[],
    problems: [] as unknown[],
    keysUsed: merchants.keysUsed,
    deposits: [] as Deposit[],
    addressesReleased: [] as string[],
    addMerchant: merchants.add,
    send(body: RequestFields | string | Buffer, headers?: Readonly<Record<string, string>>) {
      const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      return post(wire.url + CREATE, raw, headers ?? xSignHeaders('M1', WIRE_KEY, raw));
    },
    stop: () => app.close(),
  };
  const onProblem = (_problem: string, error: unknown) => wire.problems.push(error);
  const open = withParts(openDeposit, {
    store: { ...inMemoryDeposits(wire), ...options.store },
    nextTransactionId: async () => 1_001 + wire.deposits.length,
    rails: options.rails ?? [WIRE_RAIL],
    clock,
    random,
    compose: COMPOSE,
    onOpened: () => {},
    onProblem,
  });
  const app = createHttpServer({
    errorBody: errorBodyFor,
    trustedProxies: [],
    onInternalError: (error) => wire.internalErrors.push(error),
    goodbyeMs: 0,
  });
  await app.register(
    hostToHostRoutes({
      directory: options.directory ?? merchants.directory,
      openDeposit: open,
      clock: options.holdDelays ? clock : { ...clock, sleep: async () => {} },
      random,
      defaultRates: options.defaultRates ?? DEFAULT_RATES.development,
      onRejected: (merchantId, { kind }) => wire.refused.push(`${merchantId} ${kind}`.trim()),
      onProblem,
    }),
  );
  wire.url = await app.listen({ host: '127.0.0.1', port: 0 });
  return wire;
}

/** Gives each test of a file a new listener. */
export function useFreshWires() {
  let current: HostToHostWire | undefined;
  beforeEach(async () => {
    await current?.stop();
    current = await startHostToHostWire();
  });
  after(() => current?.stop());

  function wire(): HostToHostWire {
    assert.ok(current);
    return current;
  }
  const send = (change: RequestFields = {}, headers?: Readonly<Record<string, string>>) =>
    wire().send(depositRequest(change), headers);
  const reason = async (change?: RequestFields, headers?: Readonly<Record<string, string>>) =>
    reasonOf(await send(change, headers));
  return { wire, send, reason };
}

function inMemoryDeposits({
  deposits,
  addressesReleased,
}: Pick<HostToHostWire, 'deposits' | 'addressesReleased'>): OpenDepositParts['store'] {
  let addresses = 0;
  return {
    open: async ({ deposit }) => {
      const exists = deposits.some(
        ({ merchantId, orderId }) => merchantId === deposit.merchantId && orderId === deposit.orderId,
      );
      if (!exists) deposits.push(deposit);
      return exists ? { kind: 'order_exists' } : { kind: 'opened', displaced: null };
    },
    allocateAddress: async (rail) => rail.addressOf(addresses++),
    releaseAddress: async (address) => {
      addressesReleased.push(address);
    },
  };
}

/** Returns the reason of a failure with a complete envelope in the right order, or `Created` for a success. */
export function reasonOf({ json, text }: WireAnswer): string {
  const { status, description } = json as Record<string, string>;
  assert.ok(description !== undefined, text);
  if (status === 'success') return description;
  const ids = { status: 'fail', transactionId: 0, merchantUuid: '', uuid: '', order: '' };
  assert.equal(text, JSON.stringify({ ...ids, description, clabe: '', beneficiary: '' }));
  return description;
}
