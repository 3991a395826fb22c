/**
 * Checks Trustly's signatures against published cases: messages that its test system signed, from Trustly's Python
 * client, and messages that its other clients sign in their tests with a published key.
 */
import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../kit/provider-json.ts';
import { isSignedBy, plaintext, type Signed, serialise, signatureOf } from './signature.ts';

/** The public key of Trustly's test system, from its documents. */
const TRUSTLY_TEST_KEY = createPublicKey(
  [
    '-----BEGIN PUBLIC KEY-----',
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAy7h/yX8DEA2m588SrWye',
    'AC8rTMbErwHt2hoTiP9fte/iOo0FXIZSmNsNu422L+iJyvZQu19ebeL7XgB0UXqt',
    'zA6KtXBMXIKwuMCZhbdeR8sb7OKbX2nlWM+e2Hmrr9CTfkZkFBeSC+iN9fAU6PoR',
    'X0i5PWm0uZnaoWXcZnk5CxQCgnfYgsx7xsd8Au+mrqE8SHeT8zi/Inw0Xp6ba25G',
    'YsZhHfIPD2rcZQOpWbmHRS4Jk4aGzSOBHbAZhKlP97PxoVfUcPI3iCA1+3jMs1l2',
    'PYsHUbP60NMVwkGPjFOTv4m1a1wKsue0mhspDdvswZUeKE+POGOuewqTQJ+gIhXw',
    'mQIDAQAB',
    '-----END PUBLIC KEY-----',
  ].join('\n'),
);

/** The public key for the private key that the clients use in their tests. */
const CLIENT_TEST_KEY = createPublicKey(
  [
    '-----BEGIN PUBLIC KEY-----',
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7o2YVcNZvhc4xDZEyW4p',
    'ic7wdqtEtwyXDnIJuXC4rhuNdFdQa4aLhe+MKNqSMYqewkvEzfvIXcZlA1ibUGUi',
    '+tjhYUo8g+vD6WAJ+iLovBd9wbu1IKg4qLR61RC0RfaNSDalv4xQ6N06HwAcyp14',
    'me6HR5JpDW2Cph2S1cogZYCAc3oiTxGFeZqG7TvEPvy/8fnPVDsoALR3HksdP8qZ',
    'DPprTWmOBffh02SPluHair5cmi8gfNrGuF3rfvF1efWLsyMTl2MmfBPGVEaA8ioI',
    'A1OiuVth5Wc5MCrS8Mxfbnw6DSnYKe+RhIc2N+FEci6R1811CcnT0HxHyobbSQM+',
    '0wIDAQAB',
    '-----END PUBLIC KEY-----',
  ].join('\n'),
);

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

interface Case {
  readonly what: string;
  readonly signed: Signed;
  readonly signature: string;
}

const SIGNED_BY_TRUSTLY: readonly Case[] = [
  {
    what: 'the answer to a Deposit',
    signed: {
      method: 'Deposit',
      uuid: 'a4d1578e-6c00-11e5-9d5e-0800279bcb51',
      data: {
        orderid: '1371798227',
        url: 'https://test.trustly.com/_/orderclient.php?SessionID=11139ac4-f0c1-4594-8211-7f4c10e61212&OrderID=1371798227&Locale=sv_SE',
      },
    },
    signature:
      'mB/GNR5LmDGPsCDXgoaZOmEN3KKj0Q/UwpmUf4WwHht2Y0ISPJ/r9htgegWjCCvkNrTUZNHcSZCn3fPaiF9h0QY1zoTbrgCeYE7SLqPoPY5ineKCYvE4xwnJRc41QRqeYwkQmDRz6tN1vi2iKetcRBH4vtILgldO0LdR4dyjiI6w2MNSQiZCwZnO2kr81KD3Kaqr9NxPyt1LI+VxkXwdcUhWcVFfLvUZZWWZLZS4vlQR5/XjDRo7ngGqEC6fceAjZE1NPptmXrFuafvkvWIRdTleEioNPyV4yua9pAyRnDurzfG0T0A73vAgfmWCBddhz/aAGxNLWR9PWofSawGj9g==',
  },
  {
    what: 'an error',
    signed: {
      method: 'Deposit',
      uuid: 'ad4f3dbe-6c1d-11e5-9d5e-0800279bcb51',
      data: { message: 'ERROR_INVALID_CREDENTIALS', code: '616' },
    },
    signature:
      'bsu/qaPV6nQoyXvB6Ljlr5sWCntjBGcz9sgxawGtRHakMU3JZnJ7Iv/zR3S3BbcIhB8uSNybNlAgmXtOnrpdZ7HtN5CIKEh60h8mxvbq3asBuLbMqN9Bpeala9NgiBQiH9uq7tcY8xOSVbUJLcXWonn6QVBZGL4LJwcAXQOLfen/YBOETS0mcsXn8vpAKZeQf6IH4RwYUHlzisRjsW+8fKMJm9DchwmmEnrY4n34ucudMTPRISwRiSWjAupH+3ls5JEsfjAsSaHSeQw7O/kTRLetEP4Zs8I/bc1oQeE7S4djd6jwRKlwZp3dvZmUVPHKxYcOQrQXfIWMBIztayFhUw==',
  },
  {
    what: 'a credit',
    signed: {
      method: 'credit',
      uuid: 'f1b77aac-516d-4b89-a125-c005f4c020f0',
      data: {
        currency: 'SEK',
        enduserid: 'leecS',
        messageid: '5001_655548',
        timestamp: '2015-03-12 15:14:18.61671+00',
        notificationid: '3653956920',
        amount: '20.00',
        orderid: '3931155141',
      },
    },
    signature:
      'jzsoXu5OtwfMe20l5AXGk0sdQsxo8/xe+RKtSEMfdQ9RjqDW6tF+xHdsyTH04xwU1aVXOqBVOnOaIZX6PbgASEhG1GDxq2tY533ptBn9P6dAp8njWBvp2qidb8tNd2Z+Gwx8hyTBcNWtL/AxO5gZOwlJvgNwtpWFaDW7ejYcVZ+V/tsPk93odzo40lGZqJsZar7927s1Z2ewkrCl9sM39obZqSswsF41THC0uDL5CAXDoRafrQC63KbF4zMV7HaudNJcnzQIGCr/+yGLEZoARHJZHNb0fIlVMCroKk+rsHg9P3/QglAJD34U2SrQW5CM+qgVWgcoscJHEhAlmwyoTQ==',
  },
  {
    what: 'the answer to a Refund',
    signed: {
      method: 'Refund',
      uuid: '1fb9bb58-6cf1-11e5-9d5e-0800279bcb51',
      data: { orderid: '4034954614', result: '1' },
    },
    signature:
      'XEvRnWxl6qekCeGA2qfJlt2Y/hy/8wujH2JIM11vBe7WqK4DS4ISvP6KxEuWfzsKmcmgEqd025cvcoh8aXVeRBvV/YXKq/tyA1y5xW+xYQfTGB8uIws9E1TLvYH7pi4sJFEcfesT4FwWIrQNsH7E9RyVUhd+Sg0MWXhv0FJY+pULNhDOV2bkuVoy+ALg2INHorGwJ0D1znk9CO5iGR7a9GTtc7zwRfrLPqfw1uHNL9wO0hE5rPmer+ENoqdWyTE/y7h5/gBJ8MNcsu6cFC00Qf+Ge4Fip9olPuqE5LrAmEMmEC9Frw6+tB7MsyFlKdaIaneJPOGxGSccIaeKEoUZkQ==',
  },
];

const SIGNED_BY_CLIENTS: readonly Case[] = [
  {
    what: 'a Deposit',
    signed: {
      method: 'Deposit',
      uuid: '258a2184-2842-b485-25ca-293525152425',
      data: {
        NotificationURL: 'localhost:1000',
        MessageID: '82bdbc09-7605-4265-b416-1e9549397edd',
        EndUserID: '127.0.0.1',
        Username: 'team_ceres',
        Password: 'a6e404c9-7ca8-1204-863d-5642e27c2747',
        Attributes: { Amount: '100.00', Currency: 'SEK', Country: 'SE', Firstname: 'John', Lastname: 'Doe' },
      },
    },
    signature:
      'xRed4cLfZs2L5WoJVHiRFvD9yTTvbT0i/BgfhitnTvX7DpfmAz9cmGs3wcTpfYanGlW6hkY7zg7esuaGjPr3NvsWxLGLKBxw97oS7KDmp/FFPnrYulle4MsmKFH5jPB1HMZn2kybXO7a/v1QhVkyKgPGtGSznMBmR8iObbkBGjKbaHdpzwUR2HBK0bomwjIdG7Qx25UMTkMU8a9iNpvwXI71zO9/97DQJK3UiXCicJLNReOTtqcxWL/gUi9h/H7tK6M5kDeNtyRolOhznVZLX/rkFg7exhRvjPk8nEGjMJ3B1O4nEm/xFM0fh4uqfv8QyZrYEzX/K7cfNXflax4n0g==',
  },
  {
    what: 'the answer to a notification',
    signed: { method: 'account', uuid: 'e76ffbe5-e0f9-4402-8689-f868ed2021f8', data: { status: 'OK' } },
    signature:
      'J28IN0yXZN3dlV2ikg4nQKwnP98kso8lzpmuwBcfbXr8i3XeEyydRM4jRwsOOeF0ilGuXyr1Kyb3+1j4mVtgU0SwjVgBHWrYPMegNeykY3meto/aoATH0mvop4Ex1OKO7w/S/ktR2J0J5Npn/EuiKGiVy5GztHYTh9hWmZBCElYPZf4Rsd1CJQJAPlZeAuRcrb5dnbiGJvTEaL/7VLcPT27oqAUefSNb/zNt5yL+wH6BihlkpZ/mtE61lX5OpC46iql6hpsrlOBD3BroYfcwgk1t3YdcNOhVWrmkrlVptGQ/oy6T/LSIKbkG/tJsuV8sl6w1Z31IesK6MZDfSJbcXw==',
  },
  {
    what: 'a cancel',
    signed: {
      method: 'cancel',
      uuid: '258a2184-9021-b874-21ca-293425152415',
      data: {
        messageid: '98348932',
        orderid: '87654567',
        enduserid: '32123',
        notificationid: '4876513450',
        timestamp: '2013-12-20 14:42:04.675645+01',
      },
    },
    signature:
      'MWwF9r4AJ9uiI33qYwt/6xMnq5X7EM3DdxDpcbAh4jD7UQV4UUfAWW85+2ff+luWoN07P81x4WOVSi6GoLi2oK7fGXzy7alfIgN67TS1ixblKeuZHsAPZXR4CEqcRSD9IUKJDph2yblMakMAqeBtdUKrGzzFfyf0iHEeZFk6tO0wly0SfiyW4N0T8sp2AcEJPaAl+hdNSveKa6vBhr6mybnznDo0HeoMhyzR7NOKVEO1xLy3AM9XatwIdkmUO7DEEvqqcILNoBFuSpv6vkjxeKBcF80+tQ2RACYMnArMlJbRWVwdv3ZZfYTmvZ0iapVm2p+05HlajjawfXfGCaJsVQ==',
  },
];

describe('Trustly’s string to sign', () => {
  const serialised: readonly (readonly [what: string, value: Json, text: string])[] = [
    [
      'Trustly’s own example',
      { MyKey: 'MyValue', MyArray: ['Element1', 'Element2', { mykey2: 'myvalue2' }] },
      'MyArrayElement1Element2mykey2myvalue2MyKeyMyValue',
    ],
    ['keys in byte order, upper case first', { b: '1', B: '2', a: '3', AA: '4' }, 'AA4B2a3b1'],
    ['arrays in their own order, at any depth', [['b', 'a'], [['1']]], 'ba1'],
    ['nothing for null, but the key', { a: null, b: '' }, 'ab'],
    ['nothing for an empty object, but its key', { attributes: {} }, 'attributes'],
    ['letters beyond ASCII by their bytes', { öäå: '3', äåö: '2', åöä: '1' }, 'äåö2åöä1öäå3'],
    ['a signature and a UUID like any key', { params: { UUID: 'u', Signature: 's' } }, 'paramsSignaturesUUIDu'],
  ];
  for (const [what, value, text] of serialised) {
    it(`the string to sign of a Trustly message is built by this rule: ${what}`, () =>
      assert.equal(serialise(value), text));
  }

  it('the string to sign of a Trustly message begins with the method and the UUID', () => {
    assert.equal(plaintext({ method: 'account', uuid: 'u-1', data: { status: 'OK' } }), 'accountu-1statusOK');
  });
});

describe('Trustly’s signature', () => {
  for (const { what, signed, signature } of SIGNED_BY_TRUSTLY) {
    it(`the signature of Trustly’s test system on ${what} is valid under its key only`, () => {
      assert.ok(isSignedBy(signed, signature, TRUSTLY_TEST_KEY));
      assert.ok(!isSignedBy(signed, signature, CLIENT_TEST_KEY));
    });
  }
  for (const { what, signed, signature } of SIGNED_BY_CLIENTS) {
    it(`the Trustly rail accepts the signature on ${what} from another client’s tests`, () =>
      assert.ok(isSignedBy(signed, signature, CLIENT_TEST_KEY)));
  }
  for (const { what, signed, signature } of [...SIGNED_BY_TRUSTLY, ...SIGNED_BY_CLIENTS]) {
    it(`the Trustly signature on ${what} is invalid after any change`, () => {
      const key = SIGNED_BY_TRUSTLY.some((other) => other.signature === signature) ? TRUSTLY_TEST_KEY : CLIENT_TEST_KEY;
      const changes: readonly Signed[] = [
        { ...signed, method: `${signed.method}x` },
        { ...signed, uuid: signed.uuid.replace(/.$/, 'x') },
        { ...signed, data: { ...(signed.data as object), more: 'x' } },
        { ...signed, data: {} },
      ];
      for (const changed of changes) assert.ok(!isSignedBy(changed, signature, key), JSON.stringify(changed));
    });
  }

  it('a Trustly signature is valid only for the hash in its prefix', () => {
    const signed = { method: 'credit', uuid: 'u', data: { a: 'b' } };
    const bytes = Buffer.from(plaintext(signed));
    const of = (hash: string) => sign(hash, bytes, keys.privateKey).toString('base64');
    const believed = (signature: string) => isSignedBy(signed, signature, keys.publicKey);
    for (const [prefix, hash] of Object.entries({ '': 'sha1', 'alg=RS256;': 'sha256', 'alg=RS384;': 'sha384' })) {
      assert.ok(believed(prefix + of(hash)), prefix);
    }
    assert.ok(believed(`alg=RS512;${of('sha512')}`));
    const wrong = [`alg=RS256;${of('sha1')}`, of('sha256'), `alg=none;${of('sha256')}`, `alg=HS256;${of('sha256')}`];
    for (const signature of [...wrong, '', 'alg=RS256;', 'alg=;', 'x', `alg=RS256; ${of('sha256')}`]) {
      assert.ok(!believed(signature), signature);
    }
  });

  it('our signature to Trustly is RS256 and has its prefix', () => {
    const signed = { method: 'Deposit', uuid: 'u', data: { a: 'ö' } };
    const signature = signatureOf(signed, keys.privateKey);
    assert.match(signature, /^alg=RS256;[A-Za-z0-9+/]{342}==$/);
    assert.ok(isSignedBy(signed, signature, keys.publicKey));
  });

  it('the string to sign of a Trustly message does not depend on the order of its keys', () => {
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('tree'), { maxKeys: 5 }),
      ),
    }));
    const reversed = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value as Readonly<Record<string, Json>>)
          .reverse()
          .map(([key, inner]) => [key, reversed(inner)]),
      );
    };
    fc.assert(fc.property(tree, (value) => assert.equal(serialise(reversed(value)), serialise(value))));
  });
});
