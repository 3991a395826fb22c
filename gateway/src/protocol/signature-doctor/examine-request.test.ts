import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fullySigned, payoutRequest, signOver, xSignHeaders } from '../../../test/support/payouts/payout-request.ts';
import type { ExaminedRequest, SignatureFinding } from '../../domain/signature-doctor/examination.ts';
import type { DoctorKey } from '../../domain/signature-doctor/suspect.ts';
import { Secret } from '../../foundation/secret.ts';
import { examineRequest } from './examine-request.ts';

const KEY = 'k'.repeat(43);
const OTHER = 'o'.repeat(43);
const FORM_KEY = 'f'.repeat(43);
const keyOf = (origin: DoctorKey['origin'], key: string): DoctorKey => ({ origin, secret: new Secret(key) });
const KEYS = [keyOf('api', KEY), keyOf('api', OTHER), keyOf('form', FORM_KEY)];

function examine(
  body: unknown,
  change: Partial<ExaminedRequest> = {},
  showsPersonal = true,
): readonly SignatureFinding[] {
  const request = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return examineRequest(
    { endpoint: 'payout_send', request, headers: {}, requiresXSign: false, ...change },
    KEYS,
    showsPersonal,
  );
}

/** `sign: hex_not_base64`, `x_sign: absent`. */
function said(findings: readonly SignatureFinding[]): readonly string[] {
  return findings.map((finding) => {
    const names =
      finding.kind === 'mistake' ? finding.mistakes.map(({ id, field }) => (field ? `${id}(${field})` : id)) : [];
    return `${finding.part}: ${names.join('+') || finding.kind}`;
  });
}

describe('the examination of a request', () => {
  it('the signature doctor does not find a mistake in a valid request of any method, as JSON or as a form', () => {
    for (const method of [1, 9, 26, 34, 70, 92, 93]) {
      const body = payoutRequest({ merchant: 'M1', key: KEY, method, payoutId: 'A1' });
      assert.deepEqual(said(examine(body)), ['sign: right'], String(method));
      assert.deepEqual(said(examine(new URLSearchParams(body as Record<string, string>).toString())), ['sign: right']);
      const raw = JSON.stringify(body);
      assert.deepEqual(said(examine(raw, { headers: xSignHeaders('M1', KEY, raw) })), ['sign: right', 'x_sign: right']);
    }
  });

  it('the signature doctor checks the fields of each endpoint', () => {
    const list = {
      merchant: 'M1',
      currency: 'EUR',
      order: '0',
      start_date: '2026-01-01',
      finish_date: '2026-02-01',
      status: 'all',
      type: 'deposit',
    };
    for (const [endpoint, fields] of [
      ['payout_status', { merchant: 'M1', payout_id: 'A1' }],
      ['balance', { merchant: 'M1', currency: 'EUR' }],
      ['list', { ...list, limit: '10' }],
    ] as const) {
      assert.deepEqual(said(examine(fullySigned(fields, KEY), { endpoint })), ['sign: right']);
      assert.deepEqual(said(examine(fullySigned(fields, FORM_KEY), { endpoint })), ['sign: wrong_purpose']);
    }
    const form = { merchant: 'M1', order: 'N1', amount: '1.00', currency: 'EUR' };
    const link = (sign: string) => new URLSearchParams({ ...form, item_name: 'tea', sign }).toString();
    assert.deepEqual(said(examine(link(signOver(form, 'all', FORM_KEY)), { endpoint: 'form' })), ['sign: right']);
    assert.deepEqual(said(examine(link(signOver(form, 'all', KEY)), { endpoint: 'form' })), ['sign: wrong_purpose']);
  });

  it('the signature doctor finds a missing, an extra and another method’s field in the string to sign', () => {
    const body = { ...payoutRequest({ merchant: 'M1', key: KEY, method: 92, payoutId: 'A1' }) };
    const signedOver = (names: readonly string[]) =>
      signOver(Object.fromEntries(names.map((name) => [name, body[name]])), 'all', KEY);
    const six = ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'];
    assert.deepEqual(said(examine({ ...body, sign: signedOver(six) })), ['sign: fields_of_other_method']);
    const nine = [...six, 'full_name', 'customs_phone', 'customs_email'];
    assert.deepEqual(said(examine({ ...body, sign: signedOver(nine.slice(1)) })), ['sign: missing_field(merchant)']);
    const noted = { ...body, note: 'x' } as const;
    const sign = signOver({ ...Object.fromEntries(nine.map((name) => [name, body[name]])), note: 'x' }, 'all', KEY);
    assert.deepEqual(said(examine({ ...noted, sign })), ['sign: extra_field(note)']);
  });

  it('the signature doctor reports a missing signature, and two signatures under different keys', () => {
    const { sign: _, ...unsigned } = payoutRequest({ merchant: 'M1', key: KEY, method: 9, payoutId: 'A1' });
    assert.deepEqual(said(examine(unsigned)), ['sign: absent']);
    const right = payoutRequest({ merchant: 'M1', key: KEY, method: 9, payoutId: 'A1' });
    assert.deepEqual(said(examine(right, { requiresXSign: true })), ['sign: right', 'x_sign: absent']);
    assert.deepEqual(said(examine(right, { endpoint: 'host2host' })), ['x_sign: absent']);
    const raw = JSON.stringify(right);
    assert.deepEqual(said(examine(raw, { headers: xSignHeaders('M1', OTHER, raw) })), [
      'sign: right',
      'x_sign: two_keys',
    ]);
  });

  it('the signature doctor checks a host-to-host body, even if it is malformed', () => {
    for (const raw of ['{"order":"1"}', '{"order":']) {
      const change = { endpoint: 'host2host', headers: xSignHeaders('M1', KEY, `${raw}\n`) } as const;
      assert.deepEqual(said(examine(raw, change)), ['x_sign: line_end_after_body']);
    }
  });

  it('the signature doctor never shows a card number or a key', () => {
    const body = {
      ...payoutRequest({
        merchant: 'M1',
        key: KEY,
        method: 92,
        payoutId: 'A1',
        change: { account: '4111111111111111' },
      }),
    };
    for (const sign of ['x', createHex(body)]) {
      const [open, masked] = [true, false].map((shows) => JSON.stringify(examine({ ...body, sign }, {}, shows)));
      for (const text of [open, masked])
        for (const secret of ['4111111111111111', KEY, OTHER, FORM_KEY]) assert.ok(!text?.includes(secret), text);
      assert.ok(open?.includes('jo@example.com') && open.includes('411111******1111'));
      assert.ok(!masked?.includes('jo@example.com') && !masked?.includes('14165550123'));
    }
  });
});

function createHex({ sign }: Readonly<Record<string, unknown>>): string {
  return Buffer.from(String(sign), 'base64').toString('hex');
}
