/**
 * The demo's output: at most 100 columns, with colour only on a terminal and without NO_COLOR. It prints lines and must not
 * know about payments.
 */
import { styleText } from 'node:util';

/** Only commands to paste are wider. */
const COLUMNS = 100;
const LABEL_WIDTH = 10;

type Style = Parameters<typeof styleText>[0];

/** Colours the text only on a terminal and without NO_COLOR. */
function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

export const screen = {
  title(left: string, right: string): void {
    write(`\n${styled('bold', left)}${styled('dim', right.padStart(COLUMNS - left.length))}`);
  },
  heading(text: string): void {
    write(`\n${styled('bold', text)}`);
  },
  /** Prints a successful step. Further lines are aligned with the first line's text. */
  done(label: string, text: string, ...more: string[]): void {
    write(`  ${styled('green', '✓')} ${label.padEnd(LABEL_WIDTH)} ${text}`);
    for (const line of more) write(`${' '.repeat(LABEL_WIDTH + 5)}${line}`);
  },
  /** Prints a successful step in parts that are never split. */
  doneWith(label: string, texts: readonly string[]): void {
    const [first = '', ...more] = fill(texts, ' ', COLUMNS - LABEL_WIDTH - 5);
    screen.done(label, first, ...more);
  },
  failed(sentence: string): void {
    write(`  ${styled('red', '✗')} ${fill(sentence.split(' '), ' ', COLUMNS - 4).join('\n    ')}`);
  },
  progress(text: string): void {
    write(styled('dim', `    ${text}`));
  },
  /** Puts as many parts on a line as fit, without splitting any. */
  pieces(indent: number, texts: readonly string[]): void {
    for (const line of fill(texts, '; ', COLUMNS - indent)) write(`${' '.repeat(indent)}${line}`);
  },
  line(text = ''): void {
    write(text);
  },
  /** Prints one line per event, with the time of day in UTC. */
  event(sign: '→' | '←' | '✗' | '·', text: string): void {
    const time = new Date(Date.now()).toISOString().slice(11, 19);
    const style: Style = sign === '✗' ? 'red' : 'cyan';
    write(`${styled('dim', time)} ${styled(style, sign)} ${text.slice(0, COLUMNS - time.length - 3)}`);
  },
};

/** Returns lines of at most `width`, broken only between texts. A longer text stays in one piece. */
function fill(texts: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const line = lines.at(-1);
    if (line === undefined || line.length + between.length + text.length > width) lines.push(text);
    else lines[lines.length - 1] = `${line}${between}${text}`;
  }
  return lines;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
