import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attributes, type HtmlContent, html, isAddress } from './html.ts';

describe('the html tag', () => {
  it('the html tag escapes every value, but not the markup of the template', () => {
    const inner = html`<b>${'<i>&"\''}</b>`;
    assert.equal(html`<p>${inner}${['x<', null, 3]}</p>`.toString(), '<p><b>&lt;i&gt;&amp;&quot;&#39;</b>x&lt;3</p>');
  });

  it('the html tag does not let a string open a tag, an attribute or an entity', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"><script>', "' onload='", '&lt;', '\u2028</p>'),
    );
    fc.assert(
      fc.property(hostile, hostile, (text, value) => {
        const written = html`<p ${attributes({ title: value })}>${text}</p>`.toString();
        const [, title = '"', content = '<'] = /^<p title="(.*?)">(.*)<\/p>$/s.exec(written) ?? [];
        assert.doesNotMatch(title + content, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it('the html tag drops control characters and direction marks', () => {
    assert.equal(html`${'a\u0000b\u202Ec\u2066d\u0007\ne'}`.toString(), 'abcde');
  });

  it('the html tag rejects an object with a custom toString', () => {
    const forged = { toString: () => '<script>' } as unknown as HtmlContent;
    assert.throws(() => html`${forged}`.toString());
  });

  const misplaced: Record<string, () => unknown> = {
    'inside an attribute': () => html`<a href="${'x'}">`,
    'as an attribute without quotes': () => html`<a href=${'x'}>`,
    'as text among attributes': () => html`<a ${'x'}>`,
    'in the name of a tag': () => html`<${'x'}>`,
    'in a script': () => html`<script>${'x'}</script>`,
    'in a style': () => html`<style>a ${'x'}</style>`,
  };
  for (const [where, write] of Object.entries(misplaced)) {
    it(`the html tag rejects a value ${where}`, () => assert.throws(write, { name: 'InvariantViolation' }));
  }
});

describe('HTML attributes', () => {
  it('an HTML attribute is written with a value, without a value, or not at all', () => {
    const written = attributes({ id: 'a"b', hidden: true, title: null, class: undefined, required: false, size: 3 });
    assert.equal(written.toString(), 'id="a&quot;b" hidden size="3"');
  });

  for (const name of ['onclick', 'style', 'a b', 'x="', '']) {
    it(`an HTML attribute cannot have the name ${name || '(empty)'}`, () =>
      assert.throws(() => attributes({ [name]: 'x' })));
  }

  const foreign = [
    'javascript:alert(1)',
    'JAVASCRIPT:x',
    ' https://a.example',
    '//a.example',
    '/\\a.example',
    'data:text/html,x',
    'https://',
    'a',
  ];
  for (const address of foreign) {
    it(`an HTML attribute cannot link to ${address}`, () => {
      assert.equal(isAddress(address), false);
      assert.throws(() => attributes({ href: address }), { name: 'InvariantViolation' });
    });
  }

  for (const address of ['https://a.example/?b=c', 'http://127.0.0.1:80', '/a/b', '?lang=kk', '#id']) {
    it(`an HTML attribute may link to ${address}`, () =>
      assert.match(attributes({ action: address }).toString(), /^action="/));
  }
});
