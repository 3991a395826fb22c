/** Feeds responses to the rail that Visa's documents do not describe. None of them proves anything. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { systemClock } from '../../foundation/clock.ts';
import { systemRandom } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import type { ProviderReply, ProviderRequest } from '../kit/provider-http.ts';
import { createVisaApi } from './api.ts';
import type { VisaDirectConfiguration } from './configuration.ts';
import { createVisaDirectPayoutRail } from './payout-rail.ts';

const CARD = '4111111111111111';
const order: PayoutOrder = {
  reference: '1001-AbCd1234',
  remittance: 'M1/A17',
  purpose: 'payout',
  method: 22,
  money: { currency: 'EUR', minor: 1_000n },
  beneficiary: { account: new Secret(CARD), full_name: 'Greta Weiss' },
  sendUntil: 0,
  delayed: false,
};

const configuration: VisaDirectConfiguration = {
  url: 'https://visa.invalid',
  userId: 'u',
  password: new Secret('p'),
  concurrency: 1,
  simulated: true,
  certificateFile: '',
  privateKeyFile: '',
  caFile: null,
  encryption: null,
  programme: {
    acquiringBin: '408999',
    acquirerCountry: '528',
    businessApplication: 'FD',
    merchantCategory: null,
    cardAcceptorId: 'GATEWAY',
    terminalId: 'GW1',
    cardAcceptorCountry: 'NLD',
    sender: { name: 'Gateway', address: 'Herengracht 1', city: 'Amsterdam', country: '528' },
  },
};

/** The rail against a Visa that gives these responses in turn and then repeats the last response. */
function over(...answers: readonly (readonly [status: number, body: string])[]) {
  const asked: ProviderRequest[] = [];
  const exchange = async (request: ProviderRequest): Promise<ProviderReply> => {
    const [status, body] = answers[Math.min(asked.length, answers.length - 1)] ?? [500, ''];
    asked.push(request);
    return { kind: 'answered', status, body: Buffer.from(body) };
  };
  const clock = { now: systemClock.now, sleep: async () => {} };
  const hooks = { onCredentialRefused: () => {} };
  const api = createVisaApi(configuration, { http: { exchange }, hooks, clock, random: systemRandom });
  return { asked, rail: createVisaDirectPayoutRail(configuration, { api, clock }) };
}

const paid = '{"actionCode":"00","transactionIdentifier":77076001832834}';

describe('undocumented responses of Visa', () => {
  const nothingProved: readonly (readonly [status: number, body: string])[] = [
    [200, ''],
    [200, 'OK'],
    [200, '{"actionCode":"0"}'],
    [200, '{"actionCode":0}'],
    [200, '{"actionCode":"11"}'],
    [201, paid],
    [202, ''],
    [204, ''],
    [301, ''],
    [303, paid],
    [400, '<html>'],
    [401, ''],
    [401, '{"responseStatus":{"status":403}}'],
    [403, '{"error":"forbidden"}'],
    [404, ''],
    [408, ''],
    [409, ''],
    [429, '{"responseStatus":{"status":429}}'],
    [500, paid],
    [502, ''],
    [503, '{"responseStatus":{"status":401}}'],
    [504, ''],
  ];
  for (const [status, body] of nothingProved) {
    it(`the HTTP ${status} response ${body || 'without a body'} from Visa leaves the outcome of the payout unknown`, async () => {
      const { rail } = over([status, body]);
      assert.equal((await rail.send(order, noDeadline())).kind, 'unknown');
      assert.equal((await rail.ask(order, noDeadline())).kind, 'unknown');
    });
  }

  it('a Visa push is sent once, and its outcome is queried a limited number of times', async () => {
    const { rail, asked } = over([202, 'an_identifier']);
    assert.equal((await rail.send(order, noDeadline())).kind, 'unknown');
    assert.deepEqual(
      asked.map(({ verb, path }) => `${verb} ${path.split('/').at(-1)}`),
      ['POST pushfundstransactions', 'GET an_identifier', 'GET an_identifier', 'GET an_identifier'],
    );
  });

  it('a failed Visa query leaves the outcome of the push unknown', async () => {
    const refused = '{"responseStatus":{"status":401,"code":"9209","message":"Token validation failed"}}';
    const wrong: readonly (readonly [status: number, body: string])[] = [
      [400, '{"errorMessage":"Recipient"}'],
      [401, refused],
      [404, refused],
      [500, ''],
    ];
    for (const answer of wrong) {
      const { rail } = over([202, '{"statusIdentifier":"an_identifier"}'], answer);
      assert.equal((await rail.send(order, noDeadline())).kind, 'unknown');
    }
  });

  it('a repeated push to Visa contains the same transaction and our credentials', async () => {
    const { rail, asked } = over([500, '']);
    await rail.send(order, noDeadline());
    await rail.send(order, noDeadline());
    const [first, second] = asked.map(({ headers, body = '' }) => [headers, body.replace(/"localTrans[^,]+,/, '')]);
    assert.deepEqual(first, second);
    assert.deepEqual(asked[0]?.headers, {
      accept: 'application/json',
      authorization: 'Basic dTpw',
      'content-type': 'application/json',
      'x-client-transaction-id': '1001-AbCd1234',
    });
  });

  it('the reason of a Visa response contains only codes of Visa', async () => {
    for (const answer of [
      [400, `{"errorMessage":"recipient ${CARD}"}`] as const,
      [200, `{"actionCode":"${CARD}"}`] as const,
    ]) {
      assert.doesNotMatch(JSON.stringify(await over(answer).rail.send(order, noDeadline())), /4111/);
    }
  });
});
