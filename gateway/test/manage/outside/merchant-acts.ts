/** The actions of a merchant through its token, its owner and a second person. */
import assert from 'node:assert/strict';
import { KNOWN_CHECKS } from '../../../src/protocol/conformance/play-receiver.ts';
import { post } from '../../support/payouts/payout-request.ts';
import type { Values } from '../../support/people/outside-program.ts';
import { checkedBatch, reason } from '../../support/people/outside-world.ts';
import { until } from '../../support/tools/until.ts';
import { cardFields, merchantId, type OutsideStage, ownerOf } from './outside-stage.ts';

export async function actForMerchant(stage: OutsideStage): Promise<void> {
  const { world, operator } = stage;
  const invited = await operator.do('invitations.create', {
    merchantId,
    email: 'olha@example.com',
    role: 'viewer',
    reason,
  });
  await operator.do('invitations.revoke', { merchantId, invitationId: invited.invitation.invitationId });
  const owner = await ownerOf(stage, 'owner@example.com');
  const { permissions } = await owner.do('session.show');
  const scopes = permissions.filter((name: string) => !/approve|signatures/.test(name));
  const issued = await owner.do('tokens.create', { name: 'shop', scopes, days: 1 });
  const merchant = world.bearer(issued.secret);
  stage.merchant = merchant;
  await merchant.do('merchants.show', { merchantId });
  await merchant.do('merchants.edit', { merchantId, name: 'Our shop' });
  await merchant.do('keys.rotate', { merchantId, purpose: 'form' });
  const results = KNOWN_CHECKS.map(({ name }) => ({ name, state: 'passed', found: '' }));
  await merchant.do('merchants.recordConformance', { merchantId, address: 'https://shop.example/callback', results });
  await merchant.do('payouts.check', { merchantId, method: 1, fields: cardFields('60.00') });
  const { payoutId } = await merchant.do('payouts.create', { merchantId, method: 1, fields: cardFields('60.00') });
  await merchant.do('payouts.cancel', { merchantId, payoutId, reason });
  await merchant.do('batches.submit', { merchantId, batchId: await checkedBatch(merchant, merchantId) });
  await merchant.do('batches.cancel', {
    merchantId,
    batchId: await checkedBatch(merchant, merchantId),
    reason,
  });
  const [{ callbackId }] = (await merchant.do('callbacks.list', { subjectId: 'final', subject: 'payout' })).items;
  await merchant.do('callbacks.test', { merchantId, subject: 'deposit' });
  await merchant.do('callbacks.resend', { merchantId, callbackId });
  await merchant.do('callbacks.resendUndelivered', { merchantId });
  const transactionId = await world.payByCard(operator, merchantId, 'card3');
  const refund = await merchant.do('deposits.refund', { merchantId, transactionId, reason });
  const actorOf = ({ history }: Values, name: string) =>
    (history as Values[]).find(({ event }: Values) => event === name)?.['actor'];
  const refunded = await merchant.do('deposits.show', { merchantId, orderId: 'card3' });
  assert.equal(actorOf(refunded, 'refund_requested'), 'shop');
  assert.equal(
    actorOf(await merchant.do('payouts.show', { merchantId, payoutId: refund.payoutId }), 'accepted'),
    'shop',
  );
  const second = await merchant.do('tokens.create', { name: 'second', scopes: ['payouts:read'], days: 1 });
  await merchant.do('tokens.list');
  await merchant.do('tokens.revoke', { tokenId: second.token.tokenId });
  const guest = await merchant.do('invitations.create', { email: 'guest@example.com', role: 'viewer', reason });
  const { personId } = await world.accept(guest.link, 'guest@example.com');
  await merchant.do('people.list');
  await merchant.do('people.setRole', { personId, role: 'support', reason });
  await merchant.do('people.endSessions', { personId, reason });
  await merchant.do('people.remove', { personId, reason });
  const open = await merchant.do('invitations.create', { email: 'nobody@example.com', role: 'viewer', reason });
  await merchant.do('invitations.list');
  await merchant.do('invitations.revoke', { invitationId: open.invitation.invitationId });
}

export async function followEvents(stage: OutsideStage): Promise<void> {
  const { world, shop, merchant } = stage;
  const { next: after } = await merchant.do('events.list', { merchantId, limit: 1 });
  const isEnough = (so: string) => so.includes('"objectId":"final"');
  const text = await merchant.read('events.stream', { merchantId, after }, isEnough);
  assert.match(text, /^id: \S+$/m);
  const owner = await ownerOf(stage, 'doctor@example.com');
  const { sign, ...fields } = shop.request(1, 'unsigned');
  const wrong = { ...fields, sign: Buffer.from(String(sign), 'base64').toString('hex') };
  await post(`${world.gateway.url}/merchant/api/payout_send`, wrong);
  const { requestId } = await until('the request is logged', async () => {
    return (await owner.do('requests.list', { merchantId, subjectId: 'unsigned' })).items[0];
  });
  const { findings } = await owner.do('requests.explain', { merchantId, requestId });
  assert.equal(findings[0].kind, 'mistake');
}

export async function actAsTwoPeople(stage: OutsideStage): Promise<void> {
  const { operator, merchant } = stage;
  const [owner, checker] = [await ownerOf(stage, 'first@example.com'), await ownerOf(stage, 'second@example.com')];
  await merchant.do('policies.list');
  await merchant.do('policies.set', {
    items: [{ act: 'tokens.revoke', currency: null, above: null, merchantId: null }],
    reason,
  });
  const { token } = await owner.do('tokens.create', { name: 'third', scopes: ['payouts:read'], days: 1 });
  const propose = () => merchant.propose('tokens.revoke', { tokenId: token.tokenId });
  await merchant.do('proposals.withdraw', { proposalId: (await propose()).proposalId });
  const refused = await propose();
  await checker.do('proposals.reject', { proposalId: refused.proposalId, hash: refused.hash, reason });
  const approved = await propose();
  await checker.do('proposals.show', { proposalId: approved.proposalId });
  await checker.do('proposals.list');
  await checker.do('proposals.approve', { proposalId: approved.proposalId, hash: approved.hash });
  const { payoutId } = await merchant.do('payouts.create', { merchantId, method: 1, fields: cardFields('70.00') });
  await checker.do('payouts.approve', { merchantId, payoutId, reason });
  await operator.do('audit.list', { merchantId });
}
