import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { identityOf } from './reference.ts';

const id = fc.bigInt({ min: 1n, max: 9_007_199_254_740_991n });
const end = fc.stringMatching(/^[A-Za-z0-9]{8}$/);

describe('the identity of a payout at Visa', () => {
  it('a payout’s identity at Visa is a hash of its reference', () => {
    const references = fc.stringMatching(/^P[0-9A-F]{28}$/);
    const numbers = (reference: string) => {
      const { traceAuditNumber, retrievalReference } = identityOf(reference);
      return traceAuditNumber + retrievalReference;
    };
    fc.assert(
      fc.property(references, references, (one, other) => {
        const own = identityOf(one);
        assert.deepEqual(identityOf(one), own);
        assert.match(own.traceAuditNumber, /^[1-9]\d{5}$/);
        assert.match(own.retrievalReference, /^\d{12}$/);
        assert.equal(own.senderReference, one.slice(0, 16));
        assert.equal(numbers(one) === numbers(other), one === other);
      }),
    );
    const many = Array.from({ length: 20_000 }, (_, at) =>
      numbers(`P${at.toString(16).toUpperCase().padStart(28, '0')}`),
    );
    assert.equal(new Set(many).size, many.length);
  });
});

describe('the identity of a payout with a reference of the older form', () => {
  it('an older payout’s identity derives from its reference and has Visa’s format', () => {
    const identity = identityOf('1001-AbCd1234');
    assert.deepEqual(identity, {
      traceAuditNumber: '101001',
      retrievalReference: identity.retrievalReference,
      senderReference: '1001',
    });
    assert.match(identity.retrievalReference, /^000000\d{6}$/);
    fc.assert(
      fc.property(id, end, (transactionId, random) => {
        const own = identityOf(`${transactionId}-${random}`);
        assert.deepEqual(identityOf(`${transactionId}-${random}`), own);
        assert.match(own.traceAuditNumber, /^[1-9]\d{5}$/);
        assert.match(own.retrievalReference, /^\d{12}$/);
        assert.match(own.senderReference, /^\d{1,16}$/);
      }),
    );
  });

  it('two transaction ids never have the same identity at Visa', () => {
    const below = fc.bigInt({ min: 1n, max: 899_999_999_999n });
    const references = (transactionId: bigint, random: string) => {
      const { traceAuditNumber, retrievalReference } = identityOf(`${transactionId}-${random}`);
      return traceAuditNumber + retrievalReference;
    };
    fc.assert(
      fc.property(below, below, end, (one, other, random) => {
        fc.pre(one !== other);
        assert.notEqual(references(one, random), references(other, random));
      }),
    );
    fc.assert(
      fc.property(id, fc.bigInt({ min: 0n, max: 999_999n }), end, (any, rounds, random) => {
        const { retrievalReference } = identityOf(`${(any % 900_000n) + rounds * 900_000n}-${random}`);
        assert.equal(
          BigInt(retrievalReference.slice(0, 6)),
          rounds,
          'it counts how often the trace numbers went round',
        );
      }),
    );
    fc.assert(
      fc.property(below, fc.bigInt({ min: 1n, max: 899_999n }), end, (first, further, random) => {
        const [one, other] = [first, first + further].map((each) => identityOf(`${each}-${random}`).traceAuditNumber);
        assert.notEqual(one, other, 'nor is the trace audit number, within a day');
      }),
    );
  });

  it('a transaction id that is reused after a restore has another identity at Visa', () => {
    const random = Array.from({ length: 50 }, (_, at) => `AbCd${1_000 + at}`);
    const references = random.map((each) => identityOf(`1001-${each}`).retrievalReference);
    assert.equal(new Set(references).size, 50);
  });
});
