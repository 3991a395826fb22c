import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  rightSign,
  rightXSign,
  type SignedCase,
  WRONG_SIGNS,
  WRONG_SIGNS_OF_OTHER_CLIENTS,
  WRONG_X_SIGNS,
  type WrongSigner,
} from '../../../test/support/merchants/wrong-signers.ts';
import { createSeededRandom, type Random, randomAlphanumeric } from '../../foundation/random.ts';
import { Secret } from '../../foundation/secret.ts';
import { diagnose } from './diagnose.ts';
import { MISTAKES } from './mistakes.ts';
import type { Scheme, Suspect } from './suspect.ts';

const OTHER_SETS = [['merchant', 'payout_id']];

function draw(random: Random, change: Readonly<Record<string, string>> = {}): SignedCase {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random.fraction() * items.length)] as Item;
  const digits = (length: number) => Array.from({ length }, () => pick([...'123456789'])).join('');
  const fields = {
    payout_id: `Order-${randomAlphanumeric(random, 6)}-X`,
    merchant: `M${digits(3)}`,
    method: pick(['9', '1', '26', '92']),
    currency: pick(['EUR', 'UAH', 'CAD']),
    amount: `${digits(3)}.${pick(['05', '50', '99', '13'])}`,
    account: `4${digits(15)}`,
    full_name: ` José & Núñez/${randomAlphanumeric(random, 3)} `,
    customs_phone: `+1${digits(10)}`,
    note: `n${digits(4)}`,
    memo: `m${digits(4)}`,
    ...change,
  };
  const covered = Object.keys(fields).filter((name) => name !== 'note' && name !== 'memo');
  const key = randomAlphanumeric(random, 43);
  const otherKeys = {
    form: randomAlphanumeric(random, 43),
    old_api: randomAlphanumeric(random, 43),
    documentation: 'SecRetKey0123',
  };
  return { key, otherKeys, fields, covered, raw: JSON.stringify({ ...fields, sign: 'x' }) };
}

function suspectOf({ key, otherKeys, fields, covered, raw }: SignedCase, scheme: Scheme, signature: string): Suspect {
  return {
    scheme,
    signature,
    raw: Buffer.from(raw),
    fields: new Map(Object.entries(fields)),
    covered,
    absent: ['bank'],
    otherSets: OTHER_SETS,
    rightOrigin: 'api',
    keys: [
      { origin: 'api', secret: new Secret(key) },
      ...Object.entries(otherKeys).map(([origin, secret]) => ({
        origin: origin as 'form',
        secret: new Secret(secret),
      })),
    ],
  };
}

/** The first named mistakes, or the other finding. */
function namesIn(request: SignedCase, scheme: Scheme, signature: string): string {
  const found = diagnose(suspectOf(request, scheme, signature));
  return found.kind === 'mistake' ? found.mistakes.map(({ id }) => id).join('+') : found.kind;
}

const SCHEMES = [
  ['sign', WRONG_SIGNS, rightSign],
  ['x_sign', WRONG_X_SIGNS, rightXSign],
] as const;

const random = createSeededRandom('signature doctor');

describe('the signature doctor', () => {
  it('the signature doctor recognises at least forty mistakes, each with a distinct id and sentence', () => {
    const ids = MISTAKES.map(({ id }) => id);
    assert.ok(ids.length >= 60, String(ids.length));
    assert.equal(new Set(ids).size, ids.length);
    for (const { text } of MISTAKES) assert.match(text, /^[A-Z{].*\.$/);
  });

  for (const [scheme, signers] of SCHEMES)
    for (const [id, signer] of Object.entries(signers))
      it(`the signature doctor reports ${id} in ${scheme === 'sign' ? 'sign' : 'X-Sign'}`, () => {
        const { request, signature } = showing(scheme, signer);
        assert.equal(namesIn(request, scheme, signature), id);
      });

  it('the signature doctor finds mistakes in the string to sign', () => {
    const request = draw(random, { full_name: 'José' });
    for (const [id, sign] of WRONG_SIGNS_OF_OTHER_CLIENTS)
      assert.equal(namesIn(request, 'sign', sign(request) ?? ''), id);
  });

  it('the tests of the signature doctor cover every mistake that it recognises', () => {
    const untested = MISTAKES.filter(({ id }) => !(id in WRONG_SIGNS || id in WRONG_X_SIGNS)).map(({ id }) => id);
    assert.deepEqual(untested, []);
  });

  it('the signature doctor does not report a mistake in a valid signature', () => {
    for (let n = 0; n < 50; n += 1) {
      const request = draw(random);
      for (const [scheme, , right] of SCHEMES) assert.equal(namesIn(request, scheme, right(request)), 'right');
    }
  });

  it('the signature doctor lists the actual mistake first for at least 95% of five hundred invalid requests', () => {
    const missed: string[] = [];
    let count = 0;
    while (count < 500) {
      const [scheme, signers, right] = SCHEMES[count % 2 === 0 ? 0 : 1];
      const [id, signer] = drawn(Object.entries(signers) as [string, WrongSigner][]);
      const request = draw(random);
      const signature = signer(request);
      if (signature === undefined || signature === right(request)) continue;
      count += 1;
      const named = namesIn(request, scheme, signature);
      if (named !== id) missed.push(`${scheme} ${id}: ${named}`);
    }
    assert.ok(missed.length <= 25, missed.join('\n'));
  });

  it('the signature doctor finds two mistakes in one signature', () => {
    const request = draw(random);
    const old = { ...request, key: request.otherKeys.old_api };
    const lower = WRONG_SIGNS['currency_case']?.(old) ?? '';
    assert.equal(namesIn(request, 'sign', lower), 'old_key+currency_case');
    const hexOfBackwards = Buffer.from(WRONG_SIGNS['sorted_backwards']?.(request) ?? '', 'base64').toString('hex');
    assert.equal(namesIn(request, 'sign', hexOfBackwards), 'sorted_backwards+hex_not_base64');
    assert.equal(
      namesIn(request, 'x_sign', Buffer.from(WRONG_X_SIGNS['old_key']?.(request) ?? '', 'base64').toString()),
      'old_key+hex_not_base64',
    );
  });

  it('the signature doctor shows the string to sign and the first byte that differs', () => {
    const request = draw(random, { full_name: 'Jo' });
    const found = diagnose(suspectOf(request, 'sign', WRONG_SIGNS['amount_written_otherwise']?.(request) ?? ''));
    assert.ok(found.kind === 'mistake');
    assert.ok(found.expected.endsWith(':<key>'));
    assert.equal(found.expected.indexOf(request.fields['amount'] ?? '') + 3, found.differsAt);
    for (const text of [JSON.stringify(found)])
      for (const secret of [request.key, ...Object.values(request.otherKeys)]) assert.ok(!text.includes(secret));
  });

  it('the signature doctor shows only masked values to a reader without the permission', () => {
    const request = draw(random);
    const masked = new Map(Object.entries({ ...request.fields, full_name: '****', account: '4***' }));
    for (const id of ['account_written_otherwise', 'percent_encoded_values', 'whole_body', 'all_fields']) {
      const suspect = suspectOf(request, 'sign', WRONG_SIGNS[id]?.(request) ?? '');
      const found = JSON.stringify(diagnose(suspect, { ...suspect, fields: masked, raw: Buffer.from('{}') }));
      assert.ok(found.includes(id), found);
      for (const part of [request.fields['account']?.slice(4, 8) ?? '', 'Jos', 'Nú'])
        assert.ok(!found.includes(part), id);
    }
  });

  it('the signature doctor describes the form of an unknown signature', () => {
    const request = draw(random);
    const shape = (signature: string) => {
      const found = diagnose(suspectOf(request, 'sign', signature));
      return found.kind === 'unknown' ? found.text : found.kind;
    };
    assert.match(shape(`${'A'.repeat(22)}==`), /form of a valid sign/);
    assert.match(shape('0'.repeat(64)), /SHA-256/);
    assert.match(shape(''), /empty/);
  });
});

/** A request that shows the mistake: not every signature has a plus, and not every request an empty field. */
function showing(scheme: Scheme, signer: WrongSigner) {
  const right = scheme === 'sign' ? rightSign : rightXSign;
  for (let n = 0; n < 100; n += 1) {
    const drawnRequest = draw(random, n > 1 ? { full_name: '' } : {});
    const raw = n > 2 ? JSON.stringify(drawnRequest.fields, null, 2) : drawnRequest.raw;
    const request = { ...drawnRequest, raw };
    const signature = signer(request);
    if (signature !== undefined && signature !== right(request)) return { request, signature };
  }
  return assert.fail('no request shows the mistake');
}

function drawn<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random.fraction() * items.length)] as Item;
}
