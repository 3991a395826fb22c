/**
 * The search of the site: every word of the query must occur. Headings count more than text, the very heading most, and
 * the docs more than the pages beside the code.
 */
const { base = '.' } = document.body.dataset;
const query = document.querySelector('#query');
const found = document.querySelector('#found');
const MOST = 12;
let index;

async function search() {
  const words = query.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  index ??= fetch(`${base}/search.json`).then((answer) => answer.json());
  const entries = await index;
  const hits = words.length === 0 ? [] : entries.flatMap((entry) => scored(entry, words));
  hits.sort((a, b) => b.score - a.score);
  found.replaceChildren(...hits.slice(0, MOST).map(({ entry }) => lineOf(entry)));
  if (words.length > 0 && hits.length === 0) found.replaceChildren(textLine('Nothing found.'));
}

function scored(entry, words) {
  const [page, heading, text] = [entry.page, entry.heading, entry.words].map((each) => each.toLowerCase());
  let score = heading === words.join(' ') ? 20 : 0;
  for (const word of words) {
    const own = (heading.includes(word) ? 10 : 0) + (page.includes(word) ? 4 : 0) + (text.includes(word) ? 1 : 0);
    if (own === 0) return [];
    score += own;
  }
  return [{ entry, score: score + (entry.url.startsWith('docs/') ? 3 : 0) }];
}

function lineOf({ url, page, heading }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${base}/${url}`;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  item.append(link);
  return item;
}

function textLine(text) {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}

query.addEventListener('input', search);
query.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
