import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import { startFreedomPay } from '../../../../rail-simulators/src/freedom-pay/server.ts';
import type { ProviderServer } from '../../../../rail-simulators/src/kernel/start-provider.ts';
import { NO_RAILS } from '../../../test/support/gateway/no-rails.ts';
import { type AskSimulator, simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { createManualClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { createRails, type Rails } from '../registry.ts';
import type { FreedomPayConfiguration } from './configuration.ts';
import { signedForm } from './signature.ts';

const CONTROL_SECRET = 'control';
const SECRET = new Secret('payout-secret');
const NOWHERE = 'http://127.0.0.1:1/rail-notifications/freedom-pay';
const CARDS = {
  paid: '4671593866478252',
  unavailable: '5325349472901311',
  askTheBank: '4556046085041740',
  failed: '5543974702876045',
  paidLater: '5507841999732294',
  failedLater: '4532676596620704',
};

const within = (ms: number) => ({ signal: AbortSignal.timeout(ms), isPast: () => false });
const deadline = () => within(10_000);

let orders = 0;
function order(card = CARDS.paid, change: Partial<PayoutOrder> = {}): PayoutOrder {
  orders += 1;
  return {
    reference: `${orders}-AbCd1234`,
    remittance: `M1/A${orders}`,
    purpose: 'payout',
    method: 12,
    money: { currency: 'KZT', minor: 100_025n },
    beneficiary: { account: new Secret(card), full_name: 'Айгуль Сапарова' },
    sendUntil: 0,
    delayed: false,
    ...change,
  };
}

interface Connection {
  readonly rail: PayoutRail;
  readonly float: FloatReader;
  readonly rails: Rails;
  readonly refusedCredentials: readonly string[];
}

function connect(url: string, change: Partial<FreedomPayConfiguration> = {}): Connection {
  const refusedCredentials: string[] = [];
  const own = {
    url,
    merchantId: '9970',
    payoutSecret: SECRET,
    notificationUrl: NOWHERE,
    concurrency: 4,
    simulated: true,
    ...change,
  };
  const rails = createRails(
    { ...NO_RAILS, freedomPay: own },
    {
      hooks: { onCredentialRefused: (rail) => refusedCredentials.push(rail) },
      clock: createManualClock(0),
      random: systemRandom,
    },
  );
  const [rail, float] = [rails.payoutRails[0], rails.floatReaders[0]];
  assert.ok(rail && float);
  return { rail, float, rails, refusedCredentials };
}

const executed = { kind: 'executed' };
const pending = { kind: 'pending' };
const declined = (blockedReason: string, reason: string) => ({
  kind: 'declined',
  blockedReason,
  reason: `Freedom Pay reports ${reason}`,
});
const ASK_THE_BANK = declined('bank_declined', '10001: refer to the card’s bank');

describe('payouts over Freedom Pay', () => {
  let freedomPay: ProviderServer;
  let control: AskSimulator;
  let connection: Connection;
  let rail: PayoutRail;

  before(async () => {
    freedomPay = await startFreedomPay({
      host: '127.0.0.1',
      port: 0,
      secret: CONTROL_SECRET,
      merchantId: '9970',
      payoutSecret: SECRET.reveal(),
      float: '1000000.00',
      control: true,
      clock: systemClock,
      delays: { settleMs: 150, holdMs: 5_000 },
      log: () => {},
    });
    control = simulatorAt({ url: freedomPay.url, secret: CONTROL_SECRET });
    connection = connect(freedomPay.url);
    ({ rail } = connection);
  });
  beforeEach(async () => {
    await control('reset', {});
    await control('faults', { notifications: 'off' });
  });
  after(async () => {
    await freedomPay.close();
    await connection.rails.close();
  });

  const paid = async () => (await control('summary'))['paid'];

  const ends: readonly (readonly [card: keyof typeof CARDS, answer: object, end: object])[] = [
    ['paid', pending, executed],
    [
      'unavailable',
      { kind: 'unknown', reason: 'Freedom Pay reports 10000: the service is not available' },
      declined('unspecified', '10000: the service is not available'),
    ],
    ['askTheBank', ASK_THE_BANK, ASK_THE_BANK],
    ['failed', declined('unspecified', '8888: the payout failed'), declined('unspecified', '8888: the payout failed')],
    ['paidLater', pending, executed],
    ['failedLater', pending, ASK_THE_BANK],
  ];
  for (const [card, answer, end] of ends) {
    it(`a Freedom Pay payout to the test card ${card} has its documented outcome`, async () => {
      const sent = order(CARDS[card]);
      assert.deepEqual(await rail.send(sent, deadline()), answer);
      const status = await until('the end', async () => {
        const asked = await rail.ask(sent, deadline());
        return asked.kind !== 'pending' && asked;
      });
      assert.deepEqual(status, end);
    });
  }

  it('a Freedom Pay payout is executed if the response uses the final status of Freedom Pay’s list', async () => {
    await control('faults', { wording: 'list' });
    assert.deepEqual(await rail.send(order(), deadline()), executed);
  });

  it('a payout has its ordered fields in Freedom Pay’s book, with a masked card number', async () => {
    const sent = order();
    await rail.send(sent, deadline());
    const { entries } = (await control('book')) as { entries: Readonly<Record<string, string>>[] };
    const [entry = {}] = entries;
    assert.deepEqual(
      [
        entry['orderId'],
        entry['amount'],
        entry['description'],
        entry['maskedCard'],
        entry['holder'],
        entry['postLink'],
      ],
      [sent.reference.replace('-', ''), '1000.25', sent.remittance, '467159****8252', 'Айгуль Сапарова', NOWHERE],
    );
  });

  const unsaid: readonly (readonly [payouts: string, reason: string, isPaid: boolean])[] = [
    ['accept_unanswered', 'no response in time', true],
    ['accept_500', 'HTTP 500', true],
    ['accept_and_answer_error', 'Freedom Pay reports 9999: a system error', true],
    ['lose', 'no response in time', false],
    ['answer_error', 'Freedom Pay reports 9999: a system error', false],
    ['not_activated', 'Freedom Pay reports 9992: payouts are not activated', false],
  ];
  for (const [payouts, reason, isPaid] of unsaid) {
    it(`a status query at Freedom Pay finds the outcome of an unanswered payout (${payouts})`, async () => {
      await control('faults', { payouts });
      const sent = order();
      assert.deepEqual(await rail.send(sent, within(300)), { kind: 'unknown', reason });
      assert.deepEqual(await rail.ask(sent, deadline()), isPaid ? executed : { kind: 'not_found' });
      assert.equal(await paid(), isPaid ? 1 : 0);
    });
  }

  it('a Freedom Pay account without activated payouts is treated as a refused credential', async () => {
    await control('faults', { payouts: 'not_activated' });
    const before = connection.refusedCredentials.length;
    await rail.send(order(), deadline());
    assert.equal(connection.refusedCredentials.length, before + 1);
  });

  it('a Freedom Pay payout with a rejected field is declined', async () => {
    await control('faults', { payouts: 'refuse' });
    assert.deepEqual(await rail.send(order(), deadline()), declined('unspecified', '9403: a field is not valid'));
  });

  it('a payout with Freedom Pay’s code for an empty balance has an unknown outcome, and a status query does not find it', async () => {
    await control('faults', { empty: true });
    const sent = order();
    assert.deepEqual(await rail.send(sent, deadline()), { kind: 'unknown', reason: 'Freedom Pay reports 420' });
    assert.deepEqual(await rail.ask(sent, deadline()), { kind: 'not_found' });
  });

  it('a payout with Freedom Pay’s id 0 is not found, and an error leaves its outcome unknown', async () => {
    await control('faults', { statuses: 'number_zero' });
    assert.deepEqual(await rail.ask(order(), deadline()), { kind: 'not_found' });
    await control('faults', { statuses: 'answer_error' });
    assert.equal((await rail.ask(order(), deadline())).kind, 'unknown');
  });

  it('a response without Freedom Pay’s signature leaves payout and balance unknown', async () => {
    for (const signatures of ['wrong', 'none']) {
      await control('faults', { signatures });
      const sent = order();
      assert.equal((await rail.send(sent, deadline())).kind, 'unknown');
      assert.equal((await rail.ask(sent, deadline())).kind, 'unknown');
      assert.equal((await rail.send(order(CARDS.askTheBank), deadline())).kind, 'unknown');
      assert.equal((await connection.float.read(deadline())).ok, false);
    }
  });

  it('a dropped connection leaves the outcome of a Freedom Pay payout unknown', async () => {
    await control('faults', { down: true });
    assert.equal((await rail.send(order(), deadline())).kind, 'unknown');
    assert.equal((await rail.ask(order(), deadline())).kind, 'unknown');
  });

  it('a Freedom Pay payout with a refused credential is not accepted, and the rail reports the credential', async () => {
    for (const change of [{ payoutSecret: new Secret('another') }, { merchantId: '1' }]) {
      const wrong = connect(freedomPay.url, change);
      const sent = order();
      assert.equal((await wrong.rail.send(sent, deadline())).kind, 'not_accepted');
      assert.equal((await wrong.rail.ask(sent, deadline())).kind, 'unknown');
      assert.equal((await wrong.float.read(deadline())).ok, false);
      assert.deepEqual(wrong.refusedCredentials, ['freedom-pay', 'freedom-pay', 'freedom-pay']);
      assert.deepEqual(await rail.ask(sent, deadline()), { kind: 'not_found' });
      await wrong.rails.close();
    }
  });

  it('the Freedom Pay float reader returns the balance for payouts, including zero', async () => {
    await rail.send(order(), deadline());
    const left = (minor: bigint) => ({ ok: true, value: [{ currency: 'KZT', minor }] });
    assert.deepEqual(await connection.float.read(deadline()), left(99_899_975n));
    await control('faults', { empty: true });
    assert.deepEqual(await connection.float.read(deadline()), left(0n));
  });
});

describe('undocumented responses of Freedom Pay', () => {
  let answer = { status: 200, body: '' };
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answer.status).end(answer.body));
  });
  let connection: Connection;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    connection = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await connection.rails.close();
  });

  const KNOWN = { pg_payment_id: '7', pg_order_id: '1AbCd1234', pg_status: 'success', pg_payment_status: 'success' };
  const known = order(CARDS.paid, { reference: '1-AbCd1234' });

  /** Signed for the called script, as Freedom Pay would. */
  const signed = (script: string, change: Readonly<Record<string, string>> = {}) => {
    const fields = new URLSearchParams(
      signedForm(script, new Map(Object.entries({ ...KNOWN, ...change })), 'salt', SECRET),
    );
    return `<response>${[...fields].map(([name, value]) => `<${name}>${value}</${name}>`).join('')}</response>`;
  };

  const nothingProved: readonly (readonly [status: number, bodyOf: (script: string) => string])[] = [
    [200, () => ''],
    [200, () => 'OK'],
    [200, () => '<html>'],
    [200, () => '{"pg_status":"success"}'],
    [200, () => '<response></response>'],
    [200, () => '<response><pg_status>success</pg_status></response>'],
    [200, () => signed('another_script')],
    [200, (script) => signed(script).replaceAll('response>', 'root>')],
    [200, (script) => signed(script).replace('</response>', '<pg_more>1</pg_more></response>')],
    [200, (script) => signed(script, { pg_order_id: '2AbCd1234' })],
    [200, (script) => signed(script, { pg_status: 'done', pg_payment_status: 'done' })],
    [200, (script) => signed(script, { pg_payment_amount: '1', pg_amount: '1' })],
    [200, (script) => signed(script, { pg_status: 'error' })],
    [200, (script) => signed(script, { pg_status: 'error', pg_error_code: '77' })],
    [201, (script) => signed(script)],
    [301, () => ''],
    [400, (script) => signed(script)],
    [401, () => ''],
    [403, () => ''],
    [404, () => ''],
    [408, () => ''],
    [429, () => ''],
    [500, (script) => signed(script)],
    [502, () => ''],
    [503, () => ''],
    [504, () => ''],
  ];
  for (const [status, bodyOf] of nothingProved) {
    it(`the HTTP ${status} response ${bodyOf('…') || 'without a body'} from Freedom Pay leaves payout and balance unknown`, async () => {
      answer = { status, body: bodyOf('p2p2nonreg') };
      assert.equal((await connection.rail.send(known, deadline())).kind, 'unknown');
      answer = { status, body: bodyOf('payment_status2') };
      assert.equal((await connection.rail.ask(known, deadline())).kind, 'unknown');
      answer = { status, body: bodyOf('balance_status') };
      assert.equal((await connection.float.read(deadline())).ok, false);
    });
  }

  it('the Freedom Pay response “not found” to a sent payout leaves its outcome unknown', async () => {
    answer = { status: 200, body: signed('p2p2nonreg', { pg_status: 'error', pg_error_code: '11068' }) };
    assert.equal((await connection.rail.send(known, deadline())).kind, 'unknown');
  });

  it('a payout without a connection to Freedom Pay is not accepted', async () => {
    const nobody = connect('http://127.0.0.1:1');
    assert.deepEqual(await nobody.rail.send(order(), deadline()), {
      kind: 'not_accepted',
      reason: 'no connection: ECONNREFUSED',
    });
    assert.equal((await nobody.rail.ask(order(), deadline())).kind, 'unknown');
    await nobody.rails.close();
  });
});
