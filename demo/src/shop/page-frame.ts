/**
 * What the shop's pages share: frame, style and headers. Pages load nothing from other servers, and each states that it
 * belongs to a demo.
 */
import { randomBytes } from 'node:crypto';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageContent {
  readonly title: string;
  readonly content: string;
  readonly status?: number;
  /** The page's own script. */
  readonly script?: string;
}

const STYLE = `
:root{color-scheme:light dark;--back:#f5f6f8;--card:#fff;--ink:#17202c;--soft:#566273;--line:#d9dee6;--main:#2347c5;
--on-main:#fff;--good:#12703f;--good-back:#e4f5ea;--wait:#7a4b00;--wait-back:#fdf2dc;--bad:#a3242a;--bad-back:#fdeaea}
@media(prefers-color-scheme:dark){:root{--back:#10141b;--card:#1a202a;--ink:#e8ecf2;--soft:#a5b0c0;--line:#343d4b;
--main:#8fa8ff;--on-main:#0d1530;--good:#7fdca6;--good-back:#12301f;--wait:#f2c678;--wait-back:#33270f;--bad:#ffa3a3;--bad-back:#3a1719}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
a{color:var(--main)}
:focus-visible{outline:3px solid var(--main);outline-offset:3px;border-radius:.25rem}
.demo{margin:0;padding:.5rem 1rem;text-align:center;font-size:.875rem;background:var(--wait-back);color:var(--wait)}
.name,main,footer{max-width:68rem;margin:0 auto;padding:0 1.25rem}
.name{padding-top:1.5rem}
.name a{color:inherit;text-decoration:none;font-weight:700;letter-spacing:-.01em}
.name svg{width:1.5rem;height:1.5rem;vertical-align:-.35rem;margin-right:.5rem;color:var(--main)}
h1{font-size:clamp(1.6rem,5vw,2.25rem);line-height:1.2;letter-spacing:-.02em;margin:1.5rem 0 .5rem}
h2{font-size:1.2rem;line-height:1.3;margin:0}
.lead{color:var(--soft);max-width:46rem;margin:0 0 1.75rem}
.products{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:1.25rem;list-style:none;margin:0;padding:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:.875rem;padding:1.25rem}
.products .card{display:flex;flex-direction:column;gap:.75rem}
.kind{display:flex;align-items:center;gap:.625rem}
.kind svg{width:1.75rem;height:1.75rem;flex:none;color:var(--main)}
.product{display:flex;justify-content:space-between;gap:1rem;margin:0}
.price{font-variant-numeric:tabular-nums;font-weight:600;white-space:nowrap}
.todo{margin:0;font-size:.9375rem}
.tries{margin:0 0 auto;font-size:.875rem;display:grid;grid-template-columns:fit-content(62%) 1fr;gap:.2rem .9rem}
.tries dt{font-variant-numeric:tabular-nums}
.tries dd{margin:0;color:var(--soft)}
.button{display:block;min-height:2.75rem;padding:.625rem 1rem;border-radius:.625rem;background:var(--main);color:var(--on-main);
font-weight:600;text-align:center;text-decoration:none}
.button:hover{filter:brightness(1.1)}
.button.plain{background:transparent;color:var(--main);border:1px solid var(--line)}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0}
.part{margin:1.25rem 0}
.part p{margin:.5rem 0;max-width:46rem}
.facts{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.3rem 1.25rem;margin:1rem 0 0;font-size:.9375rem}
.facts dt{color:var(--soft);overflow-wrap:anywhere}
.facts dd{margin:0;overflow-wrap:anywhere}
.state{display:inline-block;margin:0;padding:.1rem .65rem;border-radius:1rem;font-size:.875rem;font-weight:600}
.good{background:var(--good-back);color:var(--good)}.wait{background:var(--wait-back);color:var(--wait)}.bad{background:var(--bad-back);color:var(--bad)}
.orders{list-style:none;margin:.75rem 0 0;padding:0}
.orders li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;padding:.5rem 0;border-top:1px solid var(--line)}
code{font:.875em ui-monospace,monospace;overflow-wrap:anywhere}
summary{cursor:pointer;font-weight:600}
footer{color:var(--soft);font-size:.875rem;padding-bottom:2.5rem;padding-top:1rem}
@media(max-width:30rem){.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.5rem}}`;

const BAG = 'M5 8h14l1 12H4zM8.5 10V7a3.5 3.5 0 0 1 7 0v3';
const LINES = 'viewBox="0 0 24 24" fill="none" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"';
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" ${LINES} stroke="#4a6cf0"><path d="${BAG}"/></svg>`;

export function page({ title, content, status = 200, script }: PageContent): Answer {
  const nonce = randomBytes(16).toString('base64');
  const ownScript = script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)} · Demo shop</title><link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}"><style nonce="${nonce}">${STYLE}</style></head>
<body><header><p class="demo">A demo of the payment gateway: nothing is sold here, and no money moves.</p>
<p class="name"><a href="/shop">${drawing(BAG)}Demo shop</a></p></header>
<main>${content}</main>
<footer><p>The callbacks that this shop was sent: <a href="/">its inbox</a>.</p></footer>${ownScript}</body></html>`,
  };
}

/** `path` is on a grid of 24 by 24. */
export function drawing(path: string): string {
  return `<svg ${LINES} stroke="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Formats names and values as a list, escaped for HTML. */
export function facts(entries: Readonly<Record<string, string>>): string {
  const rows = Object.entries(entries).map(([name, text]) => `<dt>${escaped(name)}</dt><dd>${escaped(text)}</dd>`);
  return `<dl class="facts">${rows.join('')}</dl>`;
}
