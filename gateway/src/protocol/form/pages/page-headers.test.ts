import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACS_ORIGIN, BANK_ORIGIN, SAMPLES, SHOP_ORIGIN, sampleContext } from '../../../../test/browser/page-samples.ts';
import { contentSecurityPolicy, type PagePlace, pageHeaders, pageStatus } from './page-headers.ts';
import type { PageView } from './page-view.ts';

const NONCE = 'bm9uY2Utb2YtYS10ZXN0';
const PLACE: PagePlace = { embeddingOrigins: [], returnOrigins: [SHOP_ORIGIN] };

function sample(name: string): PageView {
  const view = SAMPLES[name];
  assert.ok(view);
  return view;
}

function policyOf(view: PageView, place = PLACE): Record<string, string[]> {
  const directives = contentSecurityPolicy(view, NONCE, place).split('; ');
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

describe('the policy of a page', () => {
  it('is closed on every page: our own style and script by nonce, nothing unsafe, no wildcard, no whole scheme', () => {
    for (const view of Object.values(SAMPLES)) {
      const policy = policyOf(view);
      assert.deepEqual(policy['default-src'], ["'none'"]);
      assert.deepEqual(policy['script-src'], [`'nonce-${NONCE}'`]);
      assert.deepEqual(policy['style-src'], [`'nonce-${NONCE}'`]);
      assert.deepEqual(policy['base-uri'], ["'none'"]);
      assert.doesNotMatch(contentSecurityPolicy(view, NONCE, PLACE), /unsafe|\*|\b(?:data|https?|blob):(?!\/\/)/);
    }
  });

  it('opens frames and forms for the step on the page, and for no other', () => {
    const own = ["'self'", SHOP_ORIGIN];
    const expected: Record<string, [frames: string[], forms: string[]]> = {
      card: [["'none'"], own],
      leave: [["'none'"], own],
      paid: [["'none'"], own],
      frame: [["'self'", BANK_ORIGIN], own],
      fingerprint: [
        ["'self'", ACS_ORIGIN],
        ["'self'", ACS_ORIGIN, SHOP_ORIGIN],
      ],
      challenge: [
        ["'self'", ACS_ORIGIN],
        ["'self'", ACS_ORIGIN, SHOP_ORIGIN],
      ],
    };
    for (const [name, [frames, forms]] of Object.entries(expected)) {
      const policy = policyOf(sample(name));
      assert.deepEqual([policy['frame-src'], policy['form-action']], [frames, forms], name);
    }
  });

  it('lets the page stand in no frame but those of the merchant, and the end of a step in our own as well', () => {
    const embedded = { ...PLACE, embeddingOrigins: ['https://shop.example/some/path'] };
    assert.deepEqual(policyOf(sample('card'))['frame-ancestors'], ["'none'"]);
    assert.deepEqual(policyOf(sample('card'), embedded)['frame-ancestors'], [SHOP_ORIGIN]);
    assert.deepEqual(policyOf(sample('frame-return'))['frame-ancestors'], ["'self'"]);
    assert.deepEqual(policyOf(sample('frame-return'), embedded)['frame-ancestors'], ["'self'", SHOP_ORIGIN]);
  });

  const wideners = [
    ...['javascript:x', 'data:text/html,x', '*', "https://a.example; script-src 'unsafe-inline'", ''],
    ...['https://a.example;frame-ancestors', 'https://a.example,b', 'https://*', 'https://*.example', "https://'self'"],
  ];
  for (const origin of wideners) {
    it(`is not widened by ${origin || 'an empty origin'}`, () => {
      assert.throws(() => policyOf(sample('card'), { ...PLACE, returnOrigins: [origin] }), {
        name: 'InvariantViolation',
      });
    });
  }

  it('takes every host that there is', () => {
    for (const origin of [
      'https://my_shop.example:8443',
      'http://127.0.0.1:1',
      'https://[2001:db8::1]',
      'https://ü.example',
    ])
      assert.ok(
        policyOf(sample('card'), { ...PLACE, returnOrigins: [origin] })['form-action']?.includes(
          new URL(origin).origin,
        ),
      );
  });

  it('takes no nonce that could be more than a nonce', () => {
    assert.throws(() => contentSecurityPolicy(sample('card'), "x' 'unsafe-inline", PLACE));
  });
});

describe('the headers of a page', () => {
  it('keep it out of caches and its address out of referrers', () => {
    const headers = pageHeaders(sample('card'), sampleContext({ language: 'uk' }), PLACE);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['content-language'], 'uk');
  });

  it('go with 400 where the link is wrong, and with 200 where a payment is', () => {
    assert.equal(pageStatus(sample('invalid-missing')), 400);
    assert.equal(pageStatus(sample('problem-not_found')), 404);
    assert.equal(pageStatus(sample('refused-declined')), 200);
  });
});
