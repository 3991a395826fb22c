/** The statements of a payout's life as PostgreSQL gets them on one server. The source files compose them from parts. */
import { onOneServer } from '../../src/storage/core/cluster-text.ts';
import { ACCEPT_AT_ONCE } from '../../src/storage/payouts/accept/accept-at-once.ts';
import { ACCEPT_AFFORDED, ACCEPT_READY } from '../../src/storage/payouts/accept/accept-carefully.ts';
import { CLAIM } from '../../src/storage/payouts/claim-payouts.ts';
import { READ_FACTS } from '../../src/storage/payouts/settle/settle-payouts.ts';
import { APPROVE, WRITE_SETTLED } from '../../src/storage/payouts/settle/write-settled.ts';

interface Statement {
  readonly file: string;
  readonly constant: string;
  readonly does: string;
  readonly text: string;
}

const STATEMENTS: readonly Statement[] = [
  {
    file: 'accept/accept-at-once.ts',
    constant: 'ACCEPT_AT_ONCE',
    does: 'Accepts a batch of payouts that are all new and affordable.',
    text: ACCEPT_AT_ONCE,
  },
  {
    file: 'accept/accept-carefully.ts',
    constant: 'ACCEPT_READY',
    does: 'Accepts those of a batch that are new and affordable, and returns the others.',
    text: ACCEPT_READY,
  },
  {
    file: 'accept/accept-carefully.ts',
    constant: 'ACCEPT_AFFORDED',
    does: 'Accepts payouts whose balances the gateway checked under the locks of their merchants.',
    text: ACCEPT_AFFORDED,
  },
  {
    file: 'claim-payouts.ts',
    constant: 'CLAIM',
    does: 'Claims the due payouts of a rail, and begins the attempt of each that may be sent now.',
    text: CLAIM.one,
  },
  {
    file: 'settle/settle-payouts.ts',
    constant: 'READ_FACTS',
    does: 'Reads the facts from which the domain plans an outcome.',
    text: READ_FACTS,
  },
  {
    file: 'settle/write-settled.ts',
    constant: 'WRITE_SETTLED',
    does: 'Writes outcomes with their money, history, adjustments and callbacks.',
    text: WRITE_SETTLED,
  },
  {
    file: 'settle/write-settled.ts',
    constant: 'APPROVE',
    does: 'Writes approvals of payouts.',
    text: APPROVE,
  },
];

const HEAD = `-- The statements that accept, claim and settle payouts on one server, generated from gateway/src/storage/payouts by
-- npx node gateway/generators/schema/write-schema.ts. A cluster runs other texts of the same files.`;

export function payoutStatements(): string {
  const shown = STATEMENTS.map(
    ({ file, constant, does, text }) =>
      `-- ${constant} of ${file}. ${does}\n${onOneServer(text)
        .replace(/^\s*\n/gm, '')
        .trim()};`,
  );
  return `${[HEAD, ...shown].join('\n\n')}\n`;
}
