import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOSTILE, SAMPLES, sampleContext } from '../../../../test/browser/page-samples.ts';
import { PAGE_LANGUAGES } from '../languages/languages.ts';
import { PAYER_ACTS, type PageView } from './page-view.ts';
import { renderPage } from './render-page.ts';

function render(name: string, given: Parameters<typeof sampleContext>[0] = {}): string {
  const view = SAMPLES[name];
  assert.ok(view);
  return renderPage(view, sampleContext(given));
}

describe('a rendered page', () => {
  it('a rendered page is one document in its language, with one heading and a title', () => {
    for (const name of Object.keys(SAMPLES)) {
      for (const language of PAGE_LANGUAGES) {
        const page = render(name, { language });
        assert.ok(page.startsWith(`<!doctype html>\n<html lang="${language}">`), name);
        assert.equal(page.match(/<h1>/g)?.length, 1, name);
        assert.match(page, /<title>\S/);
        assert.doesNotMatch(page, /undefined|\[object|NaN|<p class="lead"><\/p>/);
      }
    }
  });

  it('a rendered page has no inline script, style or event handler', () => {
    for (const name of Object.keys(SAMPLES)) {
      const page = render(name);
      const files = page.match(/<script type="module" src="\/assets\/\w+\.js" nonce="[^"]+"><\/script>/g) ?? [];
      assert.ok(files.length > 0 && page.match(/<script/g)?.length === files.length, name);
      const withoutValues = page.replace(/"[^"]*"/g, '""');
      assert.doesNotMatch(withoutValues, /<style|<[^>]*\s(?:style|on[a-z]+)=/i, name);
    }
  });

  it('a rendered page shows hostile text as text', () => {
    for (const name of ['card-hostile', 'bank-none']) {
      const page = render(name);
      assert.ok(page.includes('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)'), name);
      assert.ok(!page.includes(HOSTILE.slice(0, 10)), name);
    }
  });

  it('rendering rejects a link that is not http(s)', () => {
    const view = { ...SAMPLES['paid'], returnUrl: 'javascript:alert(1)' } as PageView;
    assert.throws(() => renderPage(view, sampleContext()), { name: 'InvariantViolation' });
  });

  it('every HTML form of a page posts its token, version and language', () => {
    for (const name of Object.keys(SAMPLES)) {
      const forms = render(name, { language: 'kk' }).match(/<form method="post"[\s\S]*?<\/form>/g) ?? [];
      for (const form of forms.filter((one) => !one.includes('data-step-form'))) {
        assert.match(form, /action="\/payment\/form\/token"/);
        assert.match(form, /name="csrf" value="csrf-token"/);
        assert.match(form, /name="version" value="1"/);
        assert.match(form, /name="lang" value="kk"/);
        const act = /name="act" value="(\w+)"/.exec(form)?.[1];
        assert.ok((PAYER_ACTS as readonly string[]).includes(act ?? ''), `${name}: ${act}`);
      }
    }
  });

  it('a form page formats an amount of any size in its language', () => {
    assert.match(render('card', { language: 'en' }), /₴1,234\.50/);
    assert.match(render('card', { language: 'uk' }).replaceAll('\u00A0', ' '), /1 234,50 ₴/);
    assert.match(render('choose-long', { language: 'kk' }).replaceAll('\u00A0', ' '), /999 999 999 999,99 ₸/);
  });

  it('a rendered page states the remaining and the elapsed time without JavaScript', () => {
    assert.match(render('card', { language: 'en' }), />24 minutes left</);
    assert.match(render('card', { language: 'uk' }).replaceAll('\u00A0', ' '), />Залишилося часу: 24 хвилини</);
    assert.match(render('waiting-bank', { language: 'kk' }), />12 минут бұрын басталды</);
    assert.match(render('waiting-settlement', { language: 'en' }), />Started 5 hours ago</);
  });

  it('a card page never repeats number, date or CVV', () => {
    const page = render('card-errors');
    for (const name of ['card_number', 'card_expiry', 'card_cvv']) {
      assert.doesNotMatch(page, new RegExp(`<input id="${name}"[^>]* value=`));
    }
    assert.match(page, /id="card_holder"[^>]* value="WILHELMINA/);
  });

  it('a rendered page offers its languages before anything else', () => {
    for (const name of ['card', 'paid']) {
      const page = render(name);
      const languages = page.search(/<nav class="languages"/);
      assert.ok(languages > 0 && languages < page.indexOf('<main'), name);
    }
  });

  it('a rendered page claims encryption only on an encrypted connection', () => {
    const sentence = /The connection is encrypted/;
    assert.match(render('card'), sentence);
    assert.doesNotMatch(render('card', { isEncrypted: false }), sentence);
  });

  it('a rendered page offers a retry only if a retry is left', () => {
    assert.match(render('refused-declined'), /value="try_again"/);
    assert.doesNotMatch(render('refused-for-good'), /value="try_again"|value="another_way"/);
  });

  it('a form page subscribes to status events only if it has a status URL', () => {
    const live = { eventsUrl: '/e', versionUrl: '/v' };
    assert.match(
      render('waiting-bank', { live, version: '7' }),
      /data-events-url="\/e" data-version-url="\/v" data-version="7"/,
    );
    assert.doesNotMatch(render('waiting-bank'), /data-events-url/);
  });
});
