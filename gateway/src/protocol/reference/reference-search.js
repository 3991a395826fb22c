/** The search of the reference: every word must occur in a section, and a word of its heading counts more. */
const query = document.querySelector('#query');
const found = document.querySelector('#found');
const MOST = 12;

const entries = [...document.querySelectorAll('section[id]')].map((section) => {
  const copy = section.cloneNode(true);
  for (const inner of copy.querySelectorAll('section')) inner.remove();
  const heading = copy.querySelector('h2, h3').textContent;
  return { id: section.id, heading, title: heading.toLowerCase(), text: copy.textContent.toLowerCase() };
});

function scoreOf({ title, text }, words) {
  if (!words.every((word) => text.includes(word))) return 0;
  return 1 + words.filter((word) => title.includes(word)).length;
}

function lineOf({ id, heading }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `#${id}`;
  link.textContent = heading;
  item.append(link);
  return item;
}

function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, words) })).filter(({ score }) => score > 0);
  const hits = words.length === 0 ? [] : scored.sort((a, b) => b.score - a.score).slice(0, MOST);
  found.replaceChildren(...hits.map(({ entry }) => lineOf(entry)));
  if (words.length > 0 && hits.length === 0) found.textContent = 'Nothing found.';
}

query.addEventListener('input', search);
query.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
document.querySelector('search').hidden = false;
