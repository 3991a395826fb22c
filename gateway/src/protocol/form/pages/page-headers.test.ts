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

describe('the Content-Security-Policy of a page', () => {
  it('every page’s content security policy allows only our own style and script by nonce, without wildcards or bare schemes', () => {
    for (const view of Object.values(SAMPLES)) {
      const policy = policyOf(view);
      assert.deepEqual(policy['default-src'], ["'none'"]);
      assert.deepEqual(policy['script-src'], [`'nonce-${NONCE}'`]);
      assert.deepEqual(policy['style-src'], [`'nonce-${NONCE}'`]);
      assert.deepEqual(policy['base-uri'], ["'none'"]);
      assert.doesNotMatch(contentSecurityPolicy(view, NONCE, PLACE), /unsafe|\*|\b(?:data|https?|blob):(?!\/\/)/);
    }
  });

  it('a page’s content security policy allows frames and forms only for the step on the page', () => {
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

  it('a page’s content security policy allows Google only where the page offers Google Pay', () => {
    for (const [name, view] of Object.entries(SAMPLES)) {
      const others = policyOf(view)['connect-src']?.filter((source) => source !== "'self'") ?? [];
      const expected = name === 'card-wallets' ? ['google.com', 'www.google.com', 'pay.google.com'] : [];
      assert.deepEqual(
        others.map((source) => new URL(source).host),
        expected,
        name,
      );
    }
  });

  it('the pages of the form allow only the merchant to frame them, and our own page to frame the last page of a step', () => {
    const embedded = { ...PLACE, embeddingOrigins: ['https://shop.example/some/path'] };
    assert.deepEqual(policyOf(sample('card'))['frame-ancestors'], ["'none'"]);
    assert.deepEqual(policyOf(sample('card'), embedded)['frame-ancestors'], [SHOP_ORIGIN]);
    assert.deepEqual(policyOf(sample('frame-return'))['frame-ancestors'], ["'self'"]);
    assert.deepEqual(policyOf(sample('frame-return'), embedded)['frame-ancestors'], ["'self'", SHOP_ORIGIN]);
  });

  const wideners = [
    'javascript:x',
    'data:text/html,x',
    '*',
    "https://a.example; script-src 'unsafe-inline'",
    '',
    'https://a.example;frame-ancestors',
    'https://a.example,b',
    'https://*',
    'https://*.example',
    "https://'self'",
  ];
  for (const origin of wideners) {
    it(`a page’s content security policy rejects the origin ${origin || '(empty)'}`, () => {
      assert.throws(() => policyOf(sample('card'), { ...PLACE, returnOrigins: [origin] }), {
        name: 'InvariantViolation',
      });
    });
  }

  it('a page’s content security policy accepts every valid host', () => {
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

  it('a page’s content security policy rejects a nonce with other characters', () => {
    assert.throws(() => contentSecurityPolicy(sample('card'), "x' 'unsafe-inline", PLACE));
  });
});

describe('the headers of a page', () => {
  it('the headers of a form page forbid caching and hide its URL from other sites', () => {
    const headers = pageHeaders(sample('card'), sampleContext({ language: 'uk' }), PLACE);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['content-language'], 'uk');
  });

  it('a form page returns 400 for an invalid link, 404 for an unknown page and 200 for a declined payment', () => {
    assert.equal(pageStatus(sample('invalid-missing')), 400);
    assert.equal(pageStatus(sample('problem-not_found')), 404);
    assert.equal(pageStatus(sample('refused-declined')), 200);
  });
});
