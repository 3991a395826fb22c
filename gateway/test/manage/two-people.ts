/** Two administrators and a token on a gateway whose policies bind credits above 100 EUR and key rotation. */
import assert from 'node:assert/strict';
import type { Policy } from '../../contract/endpoints/policies.ts';
import type { Proposal } from '../../contract/endpoints/proposals.ts';
import type { Clock } from '../../src/foundation/clock.ts';
import { startGateway } from '../support/gateway/running-gateway.ts';
import { type ManageAnswer, manageClient } from '../support/people/manage-client.ts';
import { addPerson, type TestPerson } from '../support/people/test-person.ts';

export type TwoPeople = Awaited<ReturnType<typeof openTwoPeople>>;

let references = 0;

export async function openTwoPeople(clock?: Clock) {
  const gateway = await startGateway(clock ? { clock } : {});
  const maker = await addPerson(gateway, 'administrator', { email: 'maker@example.com' });
  const checker = await addPerson(gateway, 'administrator', { email: 'checker@example.com' });
  const merchantId = (await gateway.merchant({ funds: {} })).id;
  const token = await manageClient(gateway);
  await setRules(maker, [
    { act: 'funds.credit', currency: 'EUR', above: '100', merchantId: null },
    { act: 'keys.rotate', currency: null, above: null, merchantId: null },
  ]);

  const credit = (amount: string, of = merchantId) => ({
    params: { merchantId: of },
    body: { amount, currency: 'EUR', reference: `two-${++references}`, reason: 'a transfer arrived' },
  });
  return {
    gateway,
    maker,
    checker,
    merchantId,
    token,
    credit,
    async available(of = merchantId): Promise<string | undefined> {
      const { balances } = (await token.call('merchants.show', { params: { merchantId: of } })).value();
      return balances.find(({ currency }) => currency === 'EUR')?.available;
    },
    async proposeCredit(amount = '150.00', of = merchantId): Promise<Proposal> {
      return proposalOf(await maker.confirm('funds.credit', credit(amount, of)));
    },
  };
}

export async function setRules(person: TestPerson, items: Policy[]) {
  const etag = (await person.call('policies.list')).headers.get('etag') ?? '';
  return person.confirm('policies.set', {
    body: { items, reason: 'the board decided' },
    headers: { 'if-match': etag },
  });
}

export function proposalOf({ status, json }: Pick<ManageAnswer<never>, 'status' | 'json'>): Proposal {
  assert.equal(status, 202, JSON.stringify(json()));
  return json() as Proposal;
}

export const named = ({ proposalId }: Proposal) => ({ params: { proposalId } });
export const approve = (person: TestPerson, proposal: Proposal, hash = proposal.hash) =>
  person.confirm('proposals.approve', { ...named(proposal), body: { hash } });
