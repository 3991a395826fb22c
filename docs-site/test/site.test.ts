/** The documentation site: no dead links, every page reachable, working search, no axe violations. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { allPages } from '../../gateway/generators/pages.ts';
import { launchChromium, openContext } from '../../gateway/test/browser/chromium.ts';
import { renderMarkdown } from '../markdown.ts';
import { buildSite, ROOT, type SiteFile } from '../site.ts';

const AXE = `${readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')}\n;0`;
const files = new Map(buildSite().map((file): [string, SiteFile] => [file.path, file]));
const pages = [...files.values()].filter(({ path }) => path.endsWith('.html'));
const text = ({ content }: SiteFile) => content.toString();

describe('the site of the docs', () => {
  it('the docs site contains every page of the docs, and its table of contents links to each page', () => {
    const contents = text(files.get('index.html') as SiteFile);
    for (const { path } of allPages()) {
      const place = path
        .replace(/README\.md$/, 'index.html')
        .replace(/\.md$/, '.html')
        .replace(/^index/, 'start');
      assert.ok(files.has(place), path);
      assert.ok(contents.includes(`href="./${place}"`), `the contents lack ${path}`);
    }
  });

  it('the docs site has no dead link, anchor or picture', () => {
    assert.deepEqual(pages.flatMap(deadLinks), []);
  });

  it('the docs site escapes HTML except details and line breaks, and keeps a bar inside code in a table cell', () => {
    const { html } = renderMarkdown('| a |\n|---|\n| `x | y` \\| <script>alert(1)</script> |', (target) => target);
    assert.match(html, /<td><code>x \| y<\/code> \| &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/td>/);
    const folded = renderMarkdown(
      '<details><summary>PHP</summary>\n\n```php\n$a;\n```\n\n</details>\n\na<br>b',
      (target) => target,
    );
    assert.match(folded.html, /^<details><summary>PHP<\/summary><pre.*<\/pre>\n*<\/details>\n<p>a<br>b<\/p>$/s);
    const list = renderMarkdown('1. one\n\n   more\n2. two\n   - inner **bold**\n', (target) => target).html;
    assert.match(
      list,
      /<ol><li>one\n<p>more<\/p><\/li>\n<li>two\n<ul><li>inner <strong>bold<\/strong><\/li><\/ul><\/li><\/ol>/,
    );
  });
});

function deadLinks({ path, content }: SiteFile): string[] {
  return [...content.toString().matchAll(/ (?:href|src)="([^"]*)"/g)].flatMap(([, target = '']) => {
    if (/^https?:/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const place = file === '' ? path : posix.join(dirname(path), file);
    const found = files.get(place);
    if (!found) return [`${path}: ${target}`];
    return anchor === undefined || text(found).includes(` id="${anchor}"`) ? [] : [`${path}: ${target} has no anchor`];
  });
}

/** The full run examines every page. */
const AXE_PAGES = process.env['TEST_FULL']
  ? pages.map(({ path }) => path)
  : ['index.html', 'docs/merchant/signatures.html', 'docs/operations/running.html'];

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
};

describe('the site of the docs in a browser', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;
  const faults: string[] = [];
  before(async () => {
    server = createServer((request, response) => {
      const place = (request.url ?? '').replace(/^\/guide\//, '').replace(/[?#].*$/, '');
      const file = files.get(place);
      response.writeHead(file ? 200 : 404, { 'content-type': TYPES[place.split('.').at(-1) ?? ''] ?? 'text/plain' });
      response.end(file?.content);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
    page = await (await openContext(browser, { viewport: { width: 390, height: 800 } })).newPage();
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => request.url().startsWith(origin) || faults.push(request.url()));
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  it('the docs site’s search opens the first result on Enter when the site is served under a subpath', async () => {
    await page.goto(`${origin}/guide/docs/merchant/callbacks.html`);
    await page.getByLabel('Search').pressSequentially('neverthelessnothing');
    await page.getByText('Nothing found.').waitFor();
    await page.getByLabel('Search').fill('test cards');
    await page.getByRole('link', { name: 'Sandbox: Test cards' }).waitFor();
    await page.getByLabel('Search').press('Enter');
    await page.waitForURL(/docs\/merchant\/sandbox\.html#test-cards$/);
  });

  for (const scheme of ['light', 'dark'] as const)
    it(`axe finds no accessibility fault on the pages in ${scheme} colours`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      const findings: string[] = [];
      for (const path of AXE_PAGES) {
        await page.goto(`${origin}/guide/${path}`);
        // The policy of the page admits no other script, so the test adds its own past it.
        const found = await page.evaluate<string[]>(
          `${AXE}, axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
        );
        findings.push(...found.map((finding) => `${path}: ${finding}`));
      }
      assert.deepEqual(findings, []);
    });

  it('no page of the docs site requests anything from another server or violates its Content-Security-Policy', () =>
    assert.deepEqual(faults, []));
});
