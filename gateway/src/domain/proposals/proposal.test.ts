/** Which person is treated as a second person. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostedTransfer } from '../ledger/transfer.ts';
import { mailboxOf, readEmail } from '../people/person.ts';
import { needsSecondPerson } from './policy.ts';
import { isSecondPerson, type Proposal } from './proposal.ts';

describe('the second person of a proposal', () => {
  it('the approver of a proposal shares neither account, mailbox nor passkey with its maker', () => {
    const proposal = { makerPerson: 'P1', makerMailbox: 'ann@example.com', makerCredentials: ['K1', 'K2'] } as const;
    const other = { personId: 'P2', mailbox: 'ben@example.com', credentials: ['K3'] };
    const judge = (change: Partial<typeof other>) =>
      isSecondPerson(proposal as unknown as Proposal, { ...other, ...change });
    assert.equal(judge({}), true);
    assert.equal(judge({ personId: 'P1' }), false);
    assert.equal(judge({ mailbox: 'ann@example.com' }), false);
    assert.equal(judge({ credentials: ['K3', 'K2'] }), false);
  });

  it('the check for a second person ignores the tag, the letter case and Gmail’s dots in an email address', () => {
    for (const email of [
      'ann@example.com',
      'ANN@Example.com',
      'ann+two@example.com',
      'ａnn@example.com',
      'ann@example.com.',
    ])
      assert.equal(mailboxOf(email), 'ann@example.com');
    for (const email of ['a.nn@gmail.com', 'ann@googlemail.com', 'ann+x@gmail.com'])
      assert.equal(mailboxOf(email), 'ann@gmail.com');
    assert.equal(mailboxOf('a.nn@example.com'), 'a.nn@example.com');
    assert.equal(mailboxOf('ann@bücher.example'), mailboxOf('ann@xn--bcher-kva.example'));
    assert.equal(readEmail('ann\u200b@example.com'), undefined);
  });
});

describe('a policy', () => {
  const rule = { act: 'funds.credit', currency: 'EUR', above: 100n, merchantId: null } as const;
  const posting = (amount: bigint, currency: 'EUR' | 'USD' = 'EUR'): PostedTransfer => ({
    merchantId: 'M1',
    kind: 'funding',
    debit: 'operator_funding',
    credit: 'available',
    currency,
    amount,
  });

  it('a policy applies to an action whose postings in its currency exceed the amount together', () => {
    const binds = (...posted: PostedTransfer[]) => needsSecondPerson([rule], { merchants: [], posted });
    assert.equal(binds(posting(100n)), false);
    assert.equal(binds(posting(60n), posting(41n)), true);
    assert.equal(binds(posting(1_000n, 'USD')), false);
  });

  it('a policy about one merchant applies to actions that name the merchant or post to it', () => {
    const own = { ...rule, currency: null, above: null, merchantId: 'M1' } as const;
    assert.equal(needsSecondPerson([own], { merchants: ['M2'], posted: [] }), false);
    assert.equal(needsSecondPerson([own], { merchants: ['M1'], posted: [] }), true);
    assert.equal(needsSecondPerson([own], { merchants: [], posted: [posting(1n)] }), true);
    assert.equal(needsSecondPerson([], { merchants: ['M1'], posted: [posting(1n)] }), false);
  });
});
