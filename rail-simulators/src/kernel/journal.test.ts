/** A book on disk: what of it is read back, and what happens where it can't be read or written. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { StartupFault } from '../startup-fault.ts';
import { BookFailure, FileJournal, openJournal, type Placed } from './journal.ts';

interface Entry extends Placed {
  readonly what: string;
}

const title = { name: 'The book', mark: 'book_of_the_test', notice: 'Of a test: no money moved.' };
const entry = (seq: number): Entry => ({ seq, what: `payout ${seq}` });

function newPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'book.jsonl');
}

function open(path: string | undefined) {
  const entries: Entry[] = [];
  const journal = openJournal<Entry>(path, title, (read) => void entries.push(read));
  return { journal, entries };
}

describe('a journal', () => {
  it('has each entry on disk once that is said, below a heading, and reads them back in order', async (t) => {
    const path = newPath(t);
    const { journal } = open(path);
    await Promise.all(Array.from({ length: 50 }, (_, index) => journal.append(entry(index + 1))));
    const [heading, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
    assert.deepEqual(JSON.parse(heading ?? ''), { book_of_the_test: 1, notice: title.notice });
    assert.equal(lines.length, 50, 'though nothing was closed yet');
    await journal.close();
    const again = open(path);
    assert.deepEqual(
      again.entries,
      lines.map((_, index) => entry(index + 1)),
    );
    await again.journal.close();
  });

  it('loses a half-written last line, which was never answered for, and goes on from there', async (t) => {
    const path = newPath(t);
    const before = open(path).journal;
    await before.append(entry(1));
    await before.close();
    appendFileSync(path, '{"seq":2,"wh');
    const torn = open(path);
    await torn.journal.append(entry(2));
    await torn.journal.close();
    const after = open(path);
    assert.deepEqual(after.entries, [entry(1), entry(2)]);
    await after.journal.close();
  });

  it('that spans many reads is read whole', async (t) => {
    const path = newPath(t);
    await open(path).journal.close();
    const lines = Array.from({ length: 100_000 }, (_, index) => JSON.stringify(entry(index + 1)));
    appendFileSync(path, `${lines.join('\n')}\n`);
    const { entries, journal } = open(path);
    assert.deepEqual([entries.length, entries.at(-1)], [100_000, entry(100_000)]);
    await journal.close();
  });

  for (const [what, text] of [
    ['of another kind', 'hello\n'],
    ['with a line missing', `{"book_of_the_test":1}\n${JSON.stringify(entry(2))}\n`],
    ['with a line of rubbish', '{"book_of_the_test":1}\n{"seq":\n'],
  ] as const)
    it(`${what} is not touched, and nothing starts on it`, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'journal-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const path = join(folder, 'book.jsonl');
      writeFileSync(path, text);
      assert.throws(
        () => open(path),
        (error: Error) => error instanceof StartupFault && /^The book .* is damaged at line \d/.test(error.message),
      );
      assert.equal(readFileSync(path, 'utf8'), text);
    });

  it('that can’t be written fails this entry and every later one', async () => {
    const journal = new FileJournal<Entry>(openSync('/dev/full', 'a'));
    await assert.rejects(journal.append(entry(1)), BookFailure);
    await assert.rejects(journal.append(entry(2)), BookFailure);
    await journal.close();
  });
});
