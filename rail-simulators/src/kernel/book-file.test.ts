/** A book's file: the bytes on disk, and the effect of a damaged file. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { StartupFault } from '../startup-fault.ts';
import { BookFailure, OpenBookFile, openBookFile, type Placed } from './book-file.ts';

interface Entry extends Placed {
  readonly what: string;
}

const title = { name: 'The book', mark: 'book_of_the_test', notice: 'Of a test: no money moved.' };

const entry = (seq: number): Entry => ({ seq, what: `payout ${seq}` });

function newPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'book-file-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'book.jsonl');
}

function open(path: string | undefined) {
  const entries: Entry[] = [];
  const file = openBookFile<Entry>(path, title, (read) => void entries.push(read));
  return { file, entries };
}

describe('the file of a book', () => {
  it('a simulator’s book file writes an entry to disk before append resolves', async (t) => {
    const path = newPath(t);
    const { file } = open(path);
    await Promise.all(Array.from({ length: 50 }, (_, index) => file.append(entry(index + 1))));
    const [heading, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
    assert.deepEqual(JSON.parse(heading ?? ''), { book_of_the_test: 1, notice: title.notice });
    assert.equal(lines.length, 50, 'though nothing was closed yet');
    await file.close();
    const again = open(path);
    assert.deepEqual(
      again.entries,
      lines.map((_, index) => entry(index + 1)),
    );
    await again.file.close();
  });

  it('a simulator’s book file drops an incomplete last line', async (t) => {
    const path = newPath(t);
    const before = open(path).file;
    await before.append(entry(1));
    await before.close();
    appendFileSync(path, '{"seq":2,"wh');
    const torn = open(path);
    await torn.file.append(entry(2));
    await torn.file.close();
    const after = open(path);
    assert.deepEqual(after.entries, [entry(1), entry(2)]);
    await after.file.close();
  });

  it('a book file longer than one read is read completely', async (t) => {
    const path = newPath(t);
    await open(path).file.close();
    const lines = Array.from({ length: 100_000 }, (_, index) => JSON.stringify(entry(index + 1)));
    appendFileSync(path, `${lines.join('\n')}\n`);
    const { entries, file } = open(path);
    assert.deepEqual([entries.length, entries.at(-1)], [100_000, entry(100_000)]);
    await file.close();
  });

  for (const [what, text] of [
    ['of another kind', 'hello\n'],
    ['with a line missing', `{"book_of_the_test":1}\n${JSON.stringify(entry(2))}\n`],
    ['with a line of rubbish', '{"book_of_the_test":1}\n{"seq":\n'],
  ] as const)
    it(`a simulator does not start on a book file ${what}, and leaves it unchanged`, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'book-file-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const path = join(folder, 'book.jsonl');
      writeFileSync(path, text);
      assert.throws(
        () => open(path),
        (error: Error) => error instanceof StartupFault && /^The book .* is damaged at line \d/.test(error.message),
      );
      assert.equal(readFileSync(path, 'utf8'), text);
    });

  it('a book file that cannot be written rejects this entry and every later entry', async () => {
    const file = new OpenBookFile<Entry>(openSync('/dev/full', 'a'));
    await assert.rejects(file.append(entry(1)), BookFailure);
    await assert.rejects(file.append(entry(2)), BookFailure);
    await file.close();
  });
});
