import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import type { ProviderServer } from '../../../../rail-simulators/src/provider-server/start-provider.ts';
import { startStandInBank } from '../../../../rail-simulators/src/stand-in-bank/stand-in-bank.ts';
import { NO_RAILS } from '../../../test/support/no-rails.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { createManualClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/ids.ts';
import { Secret } from '../../foundation/secret.ts';
import { createRails, type Rails } from '../registry.ts';

const SECRET = 'stand-in-bank-secret';
const CARD = '4111111111111111';
const until = (signal: AbortSignal) => ({ signal, isPast: () => signal.aborted });
const deadline = () => until(new AbortController().signal);

let orders = 0;
function order(minor: bigint, reference = `r-${++orders}`): PayoutOrder {
  return {
    reference,
    remittance: `M1/${reference}`,
    method: 8,
    money: { currency: 'USD', minor },
    beneficiary: { account: new Secret(CARD), full_name: 'Ivan P', exp_date: '12/30' },
    sendUntil: 0,
    delayed: false,
  };
}

function connect(url: string, secret = SECRET): { rail: PayoutRail; rails: Rails; refusedCredentials: string[] } {
  const refusedCredentials: string[] = [];
  const rails = createRails(
    { ...NO_RAILS, standInBank: { url, secret: new Secret(secret) } },
    {
      hooks: { onCredentialRefused: (rail) => refusedCredentials.push(rail) },
      clock: createManualClock(0),
      random: systemRandom,
    },
  );
  const [rail] = rails.payoutRails;
  assert.ok(rail);
  return { rail, rails, refusedCredentials };
}

describe('the rail over its bank', () => {
  let bank: ProviderServer;
  let rail: PayoutRail;
  let rails: Rails;

  before(async () => {
    bank = await startStandInBank({
      host: '127.0.0.1',
      port: 0,
      secret: SECRET,
      control: true,
      clock: systemClock,
      delays: { settleMs: 150, changeMs: 150 },
      log: () => {},
    });
    ({ rail, rails } = connect(bank.url));
  });
  beforeEach(() => control('reset', {}));
  after(async () => {
    await bank.close();
    await rails.close();
  });

  async function control(what: string, body: object | undefined): Promise<Record<string, unknown>> {
    const response = await fetch(`${bank.url}/control/${what}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${SECRET}` },
    });
    return (await response.json()) as Record<string, unknown>;
  }

  async function askUntil(asked: PayoutOrder, kind: string): Promise<unknown> {
    for (let tries = 0; tries < 60; tries++) {
      const status = await rail.ask(asked, deadline());
      if (status.kind === kind) return status;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return assert.fail(`the bank never said ${kind}`);
  }

  const declined = (code: string, reason: string) => ({ kind: 'declined', code, reason });
  const executed = { kind: 'executed' };
  const pending = { kind: 'pending' };
  const immediate: readonly (readonly [cents: bigint, answer: object, askedAfterwards: object])[] = [
    [0n, executed, executed],
    [51n, declined('51', 'declined_by_bank'), declined('51', 'declined_by_bank')],
    [52n, declined('52', 'bad_recipient'), declined('52', 'bad_recipient')],
    [53n, declined('53', 'limit'), declined('53', 'limit')],
    [50n, { kind: 'unknown', reason: 'HTTP 500' }, executed],
    [62n, executed, executed],
  ];
  for (const [cents, answer, afterwards] of immediate) {
    it(`understands the answer to an amount of .${String(cents).padStart(2, '0')}`, async () => {
      const sent = order(1_000n + cents);
      assert.deepEqual(await rail.send(sent, deadline()), answer);
      assert.deepEqual(await rail.ask(sent, deadline()), afterwards);
    });
  }

  const decidedLater: readonly (readonly [cents: bigint, end: object])[] = [
    [40n, executed],
    [41n, declined('51', 'declined_by_bank')],
    [42n, executed],
    [63n, executed],
  ];
  for (const [cents, end] of decidedLater) {
    it(`sees an amount of .${cents} pending and then decided`, async () => {
      const sent = order(1_000n + cents);
      assert.deepEqual(await rail.send(sent, deadline()), pending);
      assert.deepEqual(await rail.ask(sent, deadline()), pending);
      assert.deepEqual(await askUntil(sent, (end as { kind: string }).kind), end);
    });
  }

  it('takes a time-out after execution (.44) for unknown, and learns by asking', async () => {
    const sent = order(1_044n);
    assert.deepEqual(await rail.send(sent, until(AbortSignal.timeout(100))), {
      kind: 'unknown',
      reason: 'no answer in time',
    });
    assert.deepEqual(await rail.ask(sent, deadline()), executed);
  });

  it('takes a lost request (.45) for unknown, and hears that the bank does not know it', async () => {
    const sent = order(1_045n);
    assert.equal((await rail.send(sent, until(AbortSignal.timeout(100)))).kind, 'unknown');
    assert.deepEqual(await rail.ask(sent, deadline()), { kind: 'not_found' });
  });

  it('says executed for .60 and, once the bank has undone it, that nobody was paid', async () => {
    const sent = order(1_060n);
    assert.deepEqual(await rail.send(sent, deadline()), executed);
    assert.deepEqual(await askUntil(sent, 'reversed'), {
      kind: 'reversed',
      reason: 'executed, then reversed by the bank',
    });
  });

  it('says declined for .61 and, once the bank has changed its mind, executed', async () => {
    const sent = order(1_061n);
    assert.deepEqual(await rail.send(sent, deadline()), declined('51', 'declined_by_bank'));
    assert.deepEqual(await askUntil(sent, 'executed'), executed);
  });

  it('is accepted with every method that it carries', async () => {
    const currencies = {
      1: 'UAH',
      16: 'UAH',
      34: 'UAH',
      11: 'AZN',
      17: 'AZN',
      12: 'KZT',
      24: 'KZT',
      26: 'INR',
      92: 'CAD',
    };
    assert.equal(rail.methods.size, 14);
    for (const method of rail.methods) {
      const currency = (currencies as Record<number, string>)[method] ?? (method === 8 ? 'USD' : 'EUR');
      const sent = { ...order(1_000n), method, money: { currency, minor: 1_000n } } as PayoutOrder;
      assert.deepEqual(await rail.send(sent, deadline()), executed, `method ${method}`);
    }
  });

  it('writes the card number to the bank and nowhere else', async () => {
    await rail.send(order(1_000n), deadline());
    const { entries } = (await control('book', undefined)) as { entries: { masked_account: string }[] };
    assert.equal(entries[0]?.masked_account, '411111****1111');
  });

  it('knows that another content under a known reference was not taken', async () => {
    await rail.send(order(1_000n, 'same'), deadline());
    assert.deepEqual(await rail.send(order(2_000n, 'same'), deadline()), {
      kind: 'not_taken',
      reason: 'the bank holds another payout under this reference',
    });
  });

  it('tells a beneficiary that no bank can read from a field that is our own fault', async () => {
    const unreadable = { ...order(1_000n), beneficiary: { account: '' } };
    assert.deepEqual(await rail.send(unreadable, deadline()), {
      kind: 'declined',
      code: '52',
      reason: 'the bank refuses beneficiary.account',
    });
    assert.deepEqual(await rail.send({ ...order(1_000n), method: 70 }, deadline()), {
      kind: 'not_taken',
      reason: 'the bank refuses the field method',
    });
  });

  it('learns nothing from a bank that drops the connection', async () => {
    await control('faults', { down: true });
    assert.equal((await rail.send(order(1_000n), deadline())).kind, 'unknown');
    assert.equal((await rail.ask(order(1_000n), deadline())).kind, 'unknown');
  });

  it('knows that a refused credential was not taken, says so and alarms', async () => {
    const wrong = connect(bank.url, 'another secret');
    const sent = order(1_000n);
    const answer = await wrong.rail.send(sent, deadline());
    assert.equal(answer.kind, 'not_taken');
    assert.match('reason' in answer ? answer.reason : '', /refuses our credential/);
    assert.equal((await wrong.rail.ask(sent, deadline())).kind, 'unknown');
    assert.deepEqual(wrong.refusedCredentials, ['stand-in-bank', 'stand-in-bank']);
    assert.deepEqual(await rail.ask(sent, deadline()), { kind: 'not_found' });
    await wrong.rails.close();
  });
});

describe('the rail before an answer that the protocol does not describe', () => {
  let answer: { status: number; body: string } = { status: 200, body: '' };
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answer.status).end(answer.body));
  });
  let rail: PayoutRail;
  let rails: Rails;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ rail, rails } = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rails.close();
  });

  const known = (fields: object) => JSON.stringify({ reference: 'known', status: 'executed', reason: '', ...fields });
  const nothingProved: readonly (readonly [status: number, body: string])[] = [
    [200, ''],
    [200, 'OK'],
    [200, '[]'],
    [200, 'null'],
    [200, known({ reference: 'another' })],
    [200, known({ reference: undefined })],
    [200, known({ status: 'EXECUTED' })],
    [200, known({ status: undefined })],
    [201, known({})],
    [202, known({})],
    [204, ''],
    [301, ''],
    [400, '<html>'],
    [400, '{"error":"bad gateway"}'],
    [401, ''],
    [403, '{"error":"forbidden"}'],
    [404, ''],
    [404, '{"error":"no_such_path"}'],
    [408, ''],
    [409, ''],
    [429, '{"error":"slow down"}'],
    [500, known({})],
    [502, ''],
    [503, '{"error":"unauthorized"}'],
    [504, ''],
  ];
  for (const [status, body] of nothingProved) {
    it(`takes HTTP ${status} with ${body || 'no body'} for unknown`, async () => {
      answer = { status, body };
      assert.equal((await rail.send(order(1_000n, 'known'), deadline())).kind, 'unknown');
      assert.equal((await rail.ask(order(1_000n, 'known'), deadline())).kind, 'unknown');
    });
  }

  it('takes a not_found on sending for unknown', async () => {
    answer = { status: 404, body: '{"error":"not_found"}' };
    assert.equal((await rail.send(order(1_000n, 'known'), deadline())).kind, 'unknown');
  });

  it('takes a decline for a reason it does not know as a decline', async () => {
    answer = { status: 200, body: known({ status: 'declined', reason: 'mercury_in_retrograde' }) };
    assert.deepEqual(await rail.send(order(1_000n, 'known'), deadline()), {
      kind: 'declined',
      code: '50',
      reason: 'mercury_in_retrograde',
    });
  });

  it('keeps nothing of a reason that is no word of a protocol', async () => {
    answer = { status: 200, body: known({ status: 'declined', reason: `card ${CARD} is stolen` }) };
    assert.deepEqual(await rail.send(order(1_000n, 'known'), deadline()), { kind: 'declined', code: '50', reason: '' });
    answer = { status: 400, body: `{"error":"invalid","field":"${CARD}"}` };
    const refused = await rail.send(order(1_000n, 'known'), deadline());
    assert.doesNotMatch(JSON.stringify(refused), /4111/);
  });

  it('knows that a bank that is not there took nothing', async () => {
    const nobody = connect('http://127.0.0.1:1');
    assert.deepEqual(await nobody.rail.send(order(1_000n), deadline()), {
      kind: 'not_taken',
      reason: 'no connection: ECONNREFUSED',
    });
    assert.equal((await nobody.rail.ask(order(1_000n), deadline())).kind, 'unknown');
    await nobody.rails.close();
  });
});
