import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReadNotification } from '../../domain/notifications/rail-notification.ts';
import { createManualClock } from '../../foundation/clock.ts';
import type { StpConfiguration } from './configuration.ts';
import { ABONO_CONFIRMED, abonoReturned, STATE_RECEIVED } from './notification-messages.ts';
import { createStpNotifications } from './notifications.ts';

const NOON = Date.UTC(2026, 10, 20, 18);
const OURS = '646180499000000018';

const CONFIGURATION: StpConfiguration = {
  url: 'http://127.0.0.1:4020',
  ordersUrl: 'http://127.0.0.1:4020',
  empresa: 'GATEWAY',
  clabePrefix: '6461804990',
  beneficiary: 'Tienda',
  privateKeyFile: '',
  confirmAbove: 10_010n,
  allowList: ['192.0.2.0/24', '2001:db8::7', '198.51.100.9'],
  concurrency: 1,
  simulated: true,
};
const ask = async () => ({ kind: 'unconfirmed', reason: '' }) as const;
const notifications = createStpNotifications(
  CONFIGURATION,
  { confirmAbono: () => ask, confirmPayout: () => ask },
  createManualClock(NOON),
);

const readFrom = (clientAddress: string, message: object) =>
  notifications.read({ body: Buffer.from(JSON.stringify(message)), headers: {}, clientAddress });

function read(message: object): ReadNotification {
  const reading = readFrom('192.0.2.17', message);
  assert.ok(reading.ok);
  return reading.value;
}

const abono = (change: object = {}) => ({
  id: 3191365,
  fechaOperacion: 20261120,
  institucionOrdenante: 40012,
  claveRastreo: 'PAGO1',
  monto: 100.1,
  nombreOrdenante: 'Ana',
  cuentaOrdenante: '012180015000000000',
  cuentaBeneficiario: OURS,
  conceptoPago: 'Pedido 7',
  empresa: 'GATEWAY',
  tipoPago: 1,
  tsLiquidacion: String(NOON - 1_000),
  ...change,
});

const change = (fields: object = {}) => ({
  id: '10000000',
  empresa: 'GATEWAY',
  folioOrigen: '1024Ab3dEf7h',
  estado: 'LQ',
  causaDevolucion: '',
  tsLiquidacion: String(NOON),
  ...fields,
});

const reference = '1024-Ab3dEf7h';

describe('abono notifications', () => {
  it('an abono to a CLABE outside our prefix is returned in the response', () => {
    const ours = read(abono());
    assert.deepEqual(ours.acknowledgement, ABONO_CONFIRMED);
    assert.deepEqual(ours.news, [
      {
        kind: 'received',
        transfer: {
          rail: 'stp',
          transferKey: 'PAGO1/40012/20261120',
          payTo: OURS,
          money: { currency: 'MXN', minor: 10_010n },
          originator: {
            name: 'Ana',
            account: '012180015000000000',
            institution: '40012',
            concept: 'Pedido 7',
            trackingKey: 'PAGO1',
          },
          bookedAt: NOON - 1_000,
        },
      },
    ]);
    const foreign = read(abono({ cuentaBeneficiario: '646180110400000007' }));
    assert.deepEqual([foreign.acknowledgement, foreign.news[0]?.kind], [abonoReturned(1), 'sent_back']);
  });

  it('only an abono above the configured amount must be confirmed by STP', () => {
    for (const [monto, isAsked] of [
      ['100.10', false],
      ['100.11', true],
    ] as const) {
      const toUs = [abono({ monto }), abono({ monto, tipoPago: 0, claveRastreo: '1024Ab3dEf7h' })];
      for (const message of toUs) {
        const [news] = read(message).news;
        assert.equal(news?.kind === 'received' && news.ask, isAsked ? ask : undefined, JSON.stringify(message));
      }
      const foreign = read(abono({ monto, cuentaBeneficiario: '646180110400000007' })).news;
      assert.ok(foreign[0] && !('ask' in foreign[0]), 'what goes back credits nobody');
    }
  });

  it('an abono of a returned order identifies the order and is never returned in the response', () => {
    const cases: readonly (readonly [fields: object, returnOf: string])[] = [
      [{ claveRastreo: '1024Ab3dEf7h' }, reference],
      [{ claveRastreo: 'BANCO-1/A', claveRastreoDevolucion: '1024Ab3dEf7h' }, reference],
      [{ claveRastreo: 'BANCO-1/A' }, ''],
    ];
    for (const [fields, returnOf] of cases) {
      for (const cuentaBeneficiario of [OURS, '646180110400000007', '']) {
        const { news, acknowledgement } = read(abono({ tipoPago: 0, cuentaBeneficiario, ...fields }));
        const [item] = news;
        assert.ok(item && 'transfer' in item);
        assert.deepEqual(
          [item.kind, item.transfer.returnOf, item.transfer.payTo],
          ['received', returnOf, cuentaBeneficiario],
        );
        assert.deepEqual(acknowledgement, ABONO_CONFIRMED);
      }
    }
  });

  it('an abono with a tracking key like ours is a returned order only if its type is a return', () => {
    const [item] = read(abono({ claveRastreo: '1024Ab3dEf7h' })).news;
    assert.ok(item && 'transfer' in item);
    assert.equal('returnOf' in item.transfer, false);
  });
});

describe('state change notifications', () => {
  const readings: readonly (readonly [fields: object, news: object])[] = [
    [{}, { kind: 'executed', reference, money: null }],
    [{ estado: 'Success' }, { kind: 'executed', reference, money: null }],
    [
      { folioOrigen: '', claveRastreo: '1024Ab3dEf7h' },
      { kind: 'executed', reference, money: null },
    ],
    [
      { estado: 'CN', causaDevolucion: '1' },
      {
        kind: 'declined',
        reference,
        money: null,
        blockedReason: 'invalid_beneficiary',
        reason: 'the account does not exist',
      },
    ],
    [
      { estado: 'D', causaDevolucion: '3' },
      { kind: 'reversed', reference, money: null, reason: 'the account is closed' },
    ],
  ];
  for (const [fields, news] of readings) {
    it(`an STP state change ${JSON.stringify(fields)} is reported as an event that a query must confirm`, () => {
      assert.deepEqual(read(change(fields)), { news: [{ ...news, ask }], acknowledgement: STATE_RECEIVED });
    });
  }

  for (const [what, fields] of [
    ['that is not final', { estado: 'A' }],
    ['of a pending return', { estado: 'XD' }],
    ['to an unknown state', { estado: 'ZZ' }],
    ['of a manual order', { folioOrigen: 'nomina 7' }],
    ['of an order without a reference', { folioOrigen: '' }],
  ] as const) {
    it(`an STP state change ${what} is acknowledged and ignored`, () => {
      assert.deepEqual(read(change(fields)), { news: [], acknowledgement: STATE_RECEIVED });
    });
  }
});

describe('the sender of STP’s notifications', () => {
  it('an STP notification is accepted only from the configured addresses, in every notation', () => {
    for (const address of ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.4', '2001:db8:0::7', '198.51.100.9']) {
      assert.ok(readFrom(address, change()).ok, address);
    }
    for (const address of ['', 'stp.example', '192.0.3.1', '198.51.100.8', '2001:db8::8', '127.0.0.1']) {
      assert.deepEqual(readFrom(address, change()), { ok: false, error: { kind: 'unauthentic' } }, address);
    }
  });

  it('an STP notification for another company or with unusable content is rejected with a status that does not return any money', () => {
    assert.equal(notifications.malformedStatus, 500);
    for (const message of [abono({ empresa: 'OTRA' }), change({ empresa: 'OTRA' }), abono({ monto: 0 }), {}, []]) {
      const reading = readFrom('192.0.2.17', message);
      assert.equal(!reading.ok && reading.error.kind, 'malformed');
    }
  });
});
