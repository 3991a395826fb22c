/** Feeds responses to the rail that Adyen's documents do not describe. None of them proves anything. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { NO_RAILS } from '../../../test/support/gateway/no-rails.ts';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { createRails, type Rails } from '../registry.ts';

const CARD = '4111111111111111';
const REFERENCE = '7-AbCd1234';
const order: PayoutOrder = {
  reference: REFERENCE,
  remittance: 'M1/A17',
  purpose: 'payout',
  method: 9,
  money: { currency: 'EUR', minor: 1_000n },
  beneficiary: { account: new Secret(CARD), full_name: 'Greta Weiss' },
  sendUntil: systemClock.now(),
  delayed: false,
};

function connect(url: string): { rail: PayoutRail; rails: Rails } {
  const account = { apiKey: new Secret('k'), balancesUrl: null, balanceAccount: 'BA1', hmacKeys: [] };
  const rails = createRails(
    { ...NO_RAILS, adyenTransfers: { url, ...account, concurrency: 4, simulated: true } },
    { hooks: { onCredentialRefused: () => {} }, clock: systemClock, random: systemRandom },
  );
  const [rail] = rails.payoutRails;
  assert.ok(rail);
  return { rail, rails };
}

const transfer = (change: object = {}) => ({
  id: 'T1',
  creationDate: '2026-01-01T00:00:00Z',
  amount: { currency: 'EUR', value: 1_000 },
  category: 'card',
  direction: 'outgoing',
  reason: 'approved',
  reference: REFERENCE,
  status: 'booked',
  ...change,
});
const one = (change: object = {}) => JSON.stringify(transfer(change));
const listed = (...changes: object[]) => JSON.stringify({ data: changes.map(transfer), _links: {} });

describe('undocumented responses about an Adyen transfer', () => {
  let answer: { status: number; body: string } = { status: 200, body: '' };
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answer.status).end(answer.body));
  });
  let rail: PayoutRail;
  let rails: Rails;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ rail, rails } = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/btl/v4`));
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rails.close();
  });

  const nothingProved: readonly (readonly [status: number, body: string])[] = [
    [200, ''],
    [200, 'OK'],
    [200, '[]'],
    [200, one()],
    [201, one()],
    [202, ''],
    [202, one({ status: 'Booked' })],
    [202, one({ status: undefined })],
    [202, one({ reference: 'another' })],
    [202, one({ amount: { currency: 'EUR', value: 1_001 } })],
    [202, one({ category: 'internal' })],
    [202, one({ id: undefined })],
    [202, one({ status: 'cancelled' })],
    [202, listed({})],
    [204, ''],
    [301, ''],
    [400, '{"status":400}'],
    [401, ''],
    [401, '{"status":403}'],
    [403, '{"error":"forbidden"}'],
    [404, '{"status":404}'],
    [408, ''],
    [409, one()],
    [422, '{"status":422,"errorCode":"704"}'],
    [429, '{"status":429}'],
    [500, one()],
    [502, ''],
    [503, '{"status":401}'],
    [504, ''],
  ];
  for (const [status, body] of nothingProved) {
    it(`the HTTP ${status} response ${body.slice(0, 90) || 'without a body'} from Adyen leaves the outcome of the payout unknown`, async () => {
      answer = { status, body };
      assert.equal((await rail.send(order, noDeadline())).kind, 'unknown');
      assert.equal((await rail.ask(order, noDeadline())).kind, 'unknown');
    });
  }

  const unclear: readonly (readonly [what: string, body: string])[] = [
    ['another reference', listed({ reference: '8-AbCd1234' })],
    ['another amount', listed({ amount: { currency: 'EUR', value: 1 } })],
    ['two open transfers', listed({}, { id: 'T2', status: 'authorised' })],
    ['two booked transfers', listed({}, { id: 'T2' })],
    ['an unreadable transfer', listed({}, { amount: undefined })],
    ['an unknown status', listed({ status: 'onHold' })],
  ];
  for (const [what, body] of unclear) {
    it(`an Adyen list with ${what} leaves the outcome of the payout unknown`, async () => {
      answer = { status: 200, body };
      assert.equal((await rail.ask(order, noDeadline())).kind, 'unknown');
    });
  }

  it('an Adyen payout is executed if the list has a booked transfer beside a transfer declined for a short balance', async () => {
    answer = { status: 200, body: listed({}, { id: 'T0', status: 'refused', reason: 'notEnoughBalance' }) };
    assert.deepEqual(await rail.ask(order, noDeadline()), { kind: 'executed' });
  });

  it('the reason of an Adyen response contains only codes of Adyen', async () => {
    const secretive = [
      [202, one({ status: 'refused', reason: `card ${CARD} is stolen` })],
      [422, JSON.stringify({ status: 422, invalidFields: [{ name: CARD, value: CARD }] })],
      [422, JSON.stringify({ status: 422, invalidFields: [{ name: 'amount.value', value: CARD, message: CARD }] })],
    ] as const;
    for (const [status, body] of secretive) {
      answer = { status, body };
      assert.doesNotMatch(JSON.stringify(await rail.send(order, noDeadline())), /4111/);
    }
  });

  it('a payout without a connection to Adyen is not accepted', async () => {
    const nobody = connect('http://127.0.0.1:1');
    const answered = await nobody.rail.send(order, noDeadline());
    assert.deepEqual(answered, { kind: 'not_accepted', reason: 'no connection: ECONNREFUSED' });
    assert.equal((await nobody.rail.ask(order, noDeadline())).kind, 'unknown');
    await nobody.rails.close();
  });
});
