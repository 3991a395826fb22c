/**
 * Runs the tests whose names match. Node also reports each file without a matching test, either as a passed test or as a
 * failed hook, because the file's `after` runs without its `before`. These reports are neither shown nor counted.
 */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

export type RunOptions = NonNullable<Parameters<typeof run>[0]>;
type Verdict = 'pass' | 'fail';

interface Reported {
  readonly name: string;
  readonly file?: string | undefined;
  readonly details: { readonly error?: unknown };
}

interface Event {
  readonly type: string;
  readonly data: Reported & { readonly message?: string };
}

/**
 * Resolves to true if matching tests ran and none failed. Each process ends with its last test: in a file without a matching
 * test, `before` starts a gateway that no `after` stops.
 */
export async function runNamed(namePattern: string, options: RunOptions): Promise<boolean> {
  const execArgv = [...(options.execArgv ?? []), '--test-force-exit'];
  const events = run({ ...options, execArgv, testNamePatterns: [namePattern] });
  const counts = { pass: 0, fail: 0 };
  const hidden = { pass: 0, fail: 0 };
  const filesWithTests = new Set<string>();
  const isHidden = ({ name, file, details: { error } }: Reported) =>
    name === file && !filesWithTests.has(file) && (error === undefined || isOfHook(error));
  const count = (verdict: Verdict) => (reported: Reported) => {
    const { name, file } = reported;
    if (file !== undefined && name !== file) filesWithTests.add(file);
    const counter = isHidden(reported) ? hidden : counts;
    counter[verdict]++;
  };
  events.on('test:pass', count('pass')).on('test:fail', count('fail'));

  /** Subtracts the hidden reports from the runner's counts. */
  const corrected = (message = '') =>
    message.replace(/^(tests|pass|fail) (\d+)$/, (_, kind: 'tests' | Verdict, total: string) => {
      const less = kind === 'tests' ? hidden.pass + hidden.fail : hidden[kind];
      return `${kind} ${Number(total) - less}`;
    });
  async function* shown() {
    for await (const event of events as AsyncIterable<Event>) {
      const { type, data } = event;
      if (type === 'test:diagnostic') yield { type, data: { ...data, message: corrected(data.message) } };
      else if (!((type === 'test:pass' || type === 'test:fail') && isHidden(data))) yield event;
    }
  }
  Readable.from(shown()).compose(spec).pipe(process.stdout);
  await finished(events);
  if (counts.pass + counts.fail === 0) console.error(`No test is named ${namePattern}.`);
  return counts.pass > 0 && counts.fail === 0;
}

function isOfHook(error: unknown): boolean {
  return (error as { failureType?: string }).failureType === 'hookFailed';
}
