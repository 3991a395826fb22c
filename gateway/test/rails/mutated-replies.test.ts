/**
 * Modified responses of the card networks that send no notifications: other amounts and references, missing and duplicate
 * fields, and the response about a different payout. A response proves something about a payout only if it contains the
 * payout's reference and, in a response to a query, its amount.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RailAnswer, RailStatus } from '../../src/domain/payouts/payout-rail.ts';
import { readQuery as readMastercardQuery, readSubmission } from '../../src/rails/mastercard-send/protocol.ts';
import { readPush, readQuery as readVisaQuery } from '../../src/rails/visa-direct/protocol.ts';
import { identityOf } from '../../src/rails/visa-direct/reference.ts';
import { mutate } from '../support/mutations/mutate.ts';
import { createChoices } from '../support/tools/seeded.ts';

const DRAWS = process.env['TEST_FULL'] ? 30_000 : 2_000;
const BIN = '408999';

const orderOf = (reference: string, minor: bigint) => ({ reference, money: { currency: 'EUR', minor } }) as const;
const OURS = orderOf('P0123456789ABCDEF0123456789AB', 1_050n);
const OTHER = orderOf('PFEDCBA9876543210FEDCBA987654', 2_000n);
type Order = typeof OURS;

interface Reply {
  write(order: Order, isPaid: boolean): object;
  read(body: Buffer, order: Order): RailAnswer | RailStatus | { readonly kind: 'unfinished' };
  /** True if the parsed response still reports the order as paid. */
  isPaid(reply: never, order: Order): boolean;
}

interface Record {
  readonly retrievalReferenceNumber: unknown;
  readonly systemsTraceAuditNumber: unknown;
  readonly acquiringBin: unknown;
  readonly amountInTransactionCurrency: unknown;
  readonly transactionCurrencyCode: unknown;
  readonly statusCode: unknown;
  readonly actionCode: unknown;
}

interface Disbursement {
  readonly status: unknown;
  readonly disbursement_reference: unknown;
  readonly disbursement_amount: { readonly value: unknown; readonly currency: unknown };
}

function writeRecord({ reference, money }: Order, isPaid: boolean): Record {
  const { retrievalReference, traceAuditNumber } = identityOf(reference);
  return {
    retrievalReferenceNumber: retrievalReference,
    systemsTraceAuditNumber: traceAuditNumber,
    acquiringBin: BIN,
    amountInTransactionCurrency: `${money.minor / 100n}.${String(money.minor % 100n).padStart(2, '0')}`,
    transactionCurrencyCode: money.currency,
    statusCode: 'COMPLETED',
    actionCode: isPaid ? '00' : '05',
  };
}

function isPaidRecord(reply: Record, { reference, money }: Order): boolean {
  const { retrievalReference, traceAuditNumber } = identityOf(reference);
  return (
    String(reply.retrievalReferenceNumber) === retrievalReference &&
    String(reply.systemsTraceAuditNumber) === traceAuditNumber &&
    String(reply.acquiringBin) === BIN &&
    Math.round(Number(reply.amountInTransactionCurrency) * 100) === Number(money.minor) &&
    ['EUR', '978'].includes(String(reply.transactionCurrencyCode)) &&
    reply.statusCode === 'COMPLETED' &&
    reply.actionCode === '00'
  );
}

const writeDisbursement = ({ reference, money }: Order, isPaid: boolean): Disbursement => ({
  status: isPaid ? 'APPROVED' : 'DECLINED',
  disbursement_reference: reference,
  disbursement_amount: { value: String(money.minor), currency: money.currency },
});

const isPaidDisbursement = (reply: Disbursement, { reference, money }: Order) =>
  reply.status === 'APPROVED' &&
  reply.disbursement_reference === reference &&
  Number(reply.disbursement_amount.value) === Number(money.minor) &&
  reply.disbursement_amount.currency === money.currency;

const REPLIES: Readonly<{ [name: string]: Reply }> = {
  'Visa’s reply to a push': {
    write: ({ reference }, isPaid) => ({
      transactionIdentifier: 77076001832834,
      retrievalReferenceNumber: identityOf(reference).retrievalReference,
      actionCode: isPaid ? '00' : '05',
    }),
    read: (body, { reference }) => readPush(200, body, reference),
    isPaid: (reply: Record, { reference }) =>
      String(reply.retrievalReferenceNumber) === identityOf(reference).retrievalReference && reply.actionCode === '00',
  },
  'Visa’s reply to a query': {
    write: (order, isPaid) => [writeRecord(order, isPaid)],
    read: (body, order) => readVisaQuery(200, body, order, BIN),
    isPaid: ([reply]: readonly Record[], order) => reply !== undefined && isPaidRecord(reply, order),
  },
  'Mastercard’s reply to a disbursement': {
    write: (order, isPaid) => ({ disbursement: writeDisbursement(order, isPaid) }),
    read: (body, order) => readSubmission(201, body, order),
    isPaid: ({ disbursement }: { disbursement: Disbursement }, order) => isPaidDisbursement(disbursement, order),
  },
  'Mastercard’s reply to a query': {
    write: (order, isPaid) => ({
      disbursements: { resource_type: 'list', data: { disbursement: [writeDisbursement(order, isPaid)] } },
    }),
    read: (body, order) => readMastercardQuery(200, body, order),
    isPaid: (reply: { disbursements: { data: { disbursement: readonly [Disbursement] } } }, order) =>
      isPaidDisbursement([reply.disbursements.data.disbursement].flat()[0] as Disbursement, order),
  },
};

describe('changed responses of card networks', () => {
  for (const [name, { write, read, isPaid }] of Object.entries(REPLIES)) {
    it(`${name} leaves the outcome of another payout unknown`, () => {
      for (const said of [true, false])
        assert.equal(read(Buffer.from(JSON.stringify(write(OTHER, said))), OURS).kind, 'unknown');
    });

    it(`${name} is treated as paid only while it reports this payout as paid, whatever else changes in it`, () => {
      const choices = createChoices(name);
      const kinds = new Set<string>();
      for (let draw = 0; draw < DRAWS; draw++) {
        const text = JSON.stringify(write(OURS, choices.between(0, 3) > 0));
        const other = JSON.stringify(write(OTHER, choices.between(0, 1) > 0));
        const mutated = mutate(text, other, choices);
        const { kind } = read(Buffer.from(mutated.text), OURS);
        kinds.add(kind);
        if (kind !== 'executed') continue;
        assert.ok(isPaid(JSON.parse(mutated.text) as never, OURS), `${mutated.what}: ${mutated.text}`);
      }
      for (const kind of ['executed', 'declined', 'unknown']) assert.ok(kinds.has(kind), kind);
    });
  }
});
