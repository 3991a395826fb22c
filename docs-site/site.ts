/** The site as files in memory: a page for each Markdown file, the search's index, its script and its style. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { escapeHtml, type RenderedPage, renderMarkdown } from './markdown.ts';

export const ROOT = join(import.meta.dirname, '..');

/** The chapters in the order of the contents, each with its pages. */
const CHAPTERS: readonly (readonly [title: string, pages: string])[] = [
  ['Overview', '{README,ARCHITECTURE,CHANGELOG,SECURITY,CONTRIBUTING,STYLE}.md'],
  ['For merchants', 'docs/merchant/*.md'],
  ['SDKs', 'sdk/{README,*/README}.md'],
  ['Operations', 'docs/operations/*.md'],
  ['Architecture', 'docs/architecture/*.md'],
  ['Decisions', 'docs/decisions/*.md'],
  ['Recipes', 'docs/recipes/*.md'],
  ['Benchmarks', 'docs/benchmarks/*.md'],
  ['Simulators', 'rail-simulators/src/**/*.md'],
  ['Reference', 'docs/*.md'],
];

/** Other files that pages show or link to. A linked folder or source file leads to the project's repository. */
const PICTURES = /\.(?:svg|png)$/;
const DOWNLOADS = /\.(?:json|sql)$/;

export interface SiteFile {
  /** Relative to the site's root, with `/`. */
  readonly path: string;
  readonly content: string | Buffer;
}

interface Page extends RenderedPage {
  /** The path of the source from the project's root. */
  readonly source: string;
  readonly path: string;
  readonly title: string;
  readonly chapter: string;
}

export function buildSite(root = ROOT): readonly SiteFile[] {
  const sources = CHAPTERS.flatMap(([chapter, glob]) =>
    globSync(glob, { cwd: root, exclude: (name) => name === 'node_modules' })
      .map((source) => source.replaceAll('\\', '/'))
      .sort((a, b) => Number(isIndex(b)) - Number(isIndex(a)) || a.localeCompare(b, 'en'))
      .map((source) => ({ source, chapter })),
  );
  const known = new Set(sources.map(({ source }) => source));
  const files = new Map<string, Buffer>();
  const pages = sources.map(({ source, chapter }): Page => {
    const path = pathOf(source);
    const linkOf = (target: string) => link(root, source, target, known, files);
    const rendered = renderMarkdown(readFileSync(join(root, source), 'utf8'), linkOf);
    return { ...rendered, source, path, chapter, title: rendered.headings[0]?.text ?? source };
  });
  const first = pages[0];
  if (!first) throw new Error('There are no pages');
  return [
    ...pages.map((page) => ({ path: page.path, content: documentOf(page, pages) })),
    { path: 'index.html', content: documentOf({ ...first, path: 'index.html' }, pages) },
    { path: 'search.json', content: JSON.stringify(pages.flatMap(entriesOf)) },
    ...['search.js', 'style.css'].map((path) => ({ path, content: readFileSync(join(import.meta.dirname, path)) })),
    ...[...files].map(([path, content]) => ({ path, content })),
  ];
}

const isIndex = (source: string) => source.endsWith('README.md');

function pathOf(source: string): string {
  return source
    .replace(/README\.md$/, 'index.html')
    .replace(/\.md$/, '.html')
    .replace(/^index\.html$/, 'start.html');
}

/** The address on the site, relative to the page. Remembers the files that the site must contain in addition to its pages. */
function link(
  root: string,
  source: string,
  target: string,
  known: ReadonlySet<string>,
  files: Map<string, Buffer>,
): string {
  if (/^(?:https?:|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const place = posix.join(dirname(source), path);
  const page = known.has(place) ? place : posix.join(place, 'README.md');
  if (known.has(page)) return `${relative(source, pathOf(page))}${anchor === undefined ? '' : `#${anchor}`}`;
  const shown = PICTURES.test(place) || DOWNLOADS.test(place) ? place : `${place.replace(/\/$/, '')}.txt`;
  if (shown === place) files.set(place, readFileSync(join(root, place)));
  else files.set(shown, Buffer.from(sourceText(root, place)));
  return relative(source, shown);
}

/** A source file as text, and the list of a folder. */
function sourceText(root: string, place: string): string {
  if (extname(place) !== '') return readFileSync(join(root, place), 'utf8');
  const names = globSync(`${place.replace(/\/$/, '')}/*`, { cwd: root }).sort();
  return names.length > 0 ? `${names.join('\n')}\n` : readFileSync(join(root, place), 'utf8');
}

function relative(from: string, to: string): string {
  return posix.relative(dirname(pathOf(from)), to);
}

function entriesOf({ path, title, sections }: Page) {
  return sections.map(({ heading, words }) => ({
    url: heading.level === 1 ? path : `${path}#${heading.id}`,
    page: title,
    heading: heading.text,
    words: words.replace(/\s+/g, ' ').slice(0, 4_000),
  }));
}

function documentOf(page: Page, pages: readonly Page[]): string {
  const base = posix.relative(dirname(page.path), '.') || '.';
  const contents = CHAPTERS.map(([chapter]) => {
    const own = pages.filter((other) => other.chapter === chapter);
    const links = own.map((other) => {
      const current = other.source === page.source ? ' aria-current="page"' : '';
      return `<li><a href="${base}/${other.path}"${current}>${escapeHtml(other.title)}</a></li>`;
    });
    const open = chapter === page.chapter ? ' open' : '';
    return `<details${open}><summary>${chapter}</summary><ul>${links.join('\n')}</ul></details>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'">
<title>${escapeHtml(page.title)} · Payment gateway</title>
<link rel="stylesheet" href="${base}/style.css">
<script type="module" src="${base}/search.js"></script>
</head>
<body data-base="${base}">
<a class="skip" href="#content">Skip to the page</a>
<header><a href="${base}/index.html">Payment gateway</a>
<search><form role="search"><label for="query">Search</label>
<input id="query" type="search" autocomplete="off" aria-controls="found"></form>
<ul id="found" aria-live="polite"></ul></search></header>
<nav aria-label="Contents">
${contents.join('\n')}
</nav>
<main id="content" tabindex="-1">
${page.html}
</main>
</body>
</html>
`;
}
