/** Draws the steps of a payment as a row of boxes, each with its time. */
import type { WalkedDeposit } from './walk-deposit.ts';
import type { Walked } from './walk-payout.ts';

interface Box {
  readonly name: string;
  /** A time in milliseconds since the epoch. */
  readonly at: number | null | undefined;
  readonly meaning: string;
}

const WIDTH = 12;

export function drawPayoutLife({ record: { payout, attempts }, delivery, sentAt }: Walked): string[] {
  const attempt = attempts.at(-1);
  return draw(sentAt, [
    { name: 'request', at: sentAt, meaning: 'signed' },
    { name: 'accepted', at: payout.acceptedAt, meaning: 'reserved' },
    { name: 'sending', at: attempt?.startedAt, meaning: 'sent to bank' },
    { name: payout.state, at: payout.finishedAt, meaning: 'posted' },
    { name: 'callback', at: delivery.receivedAt, meaning: 'accepted' },
  ]);
}

export function drawDepositLife({ deposit, delivery, sentAt, paidAt }: WalkedDeposit): string[] {
  return draw(sentAt, [
    { name: 'request', at: sentAt, meaning: 'signed' },
    { name: 'created', at: deposit.createdAt, meaning: 'CLABE issued' },
    { name: 'payer pays', at: paidAt, meaning: 'by transfer' },
    { name: deposit.state, at: deposit.finishedAt, meaning: 'posted' },
    { name: 'callback', at: delivery.receivedAt, meaning: 'accepted' },
  ]);
}

function draw(sentAt: number, boxes: readonly Box[]): string[] {
  const time = ({ at }: Box) => (at ? `${Math.max(0, at - sentAt)} ms` : '');
  const row = (texts: string[], link: string) => texts.map((text) => `│ ${centre(text)} │`).join(link);
  const edge = (left: string, right: string) => boxes.map(() => left + '─'.repeat(WIDTH + 2) + right).join('   ');
  return [
    edge('┌', '┐'),
    row(
      boxes.map(({ name }) => name),
      '   ',
    ),
    row(boxes.map(time), ' ─▶'),
    row(
      boxes.map(({ meaning }) => meaning),
      '   ',
    ),
    edge('└', '┘'),
  ];
}

function centre(text: string): string {
  return text.padStart(Math.floor((WIDTH + text.length) / 2)).padEnd(WIDTH);
}
