/** What the reader can do now: the merchant, requests to paste, and where to look. Prints; starts nothing. */

import { DEPOSIT, depositCurl, depositRequest, payCurl } from './deposit-example.ts';
import type { FormPlace } from './form/form-provider.ts';
import {
  asCurl,
  BANK_EXAMPLES,
  balanceRequest,
  CARD_EUR,
  type Example,
  listRequest,
  payoutRequest,
  type Sender,
  statusRequest,
} from './payout-examples.ts';
import { screen } from './screen.ts';
import { SHOP_PATH } from './shop/shop.ts';
import { showShop } from './show-shop.ts';
import type { SimulatorPlace } from './simulator.ts';

export interface Places {
  readonly sender: Sender;
  readonly sandbox: Example;
  readonly stp: SimulatorPlace;
  readonly form: readonly FormPlace[];
  /** Of a payout that is there already. */
  readonly payoutId: string;
  readonly metricsUrl: string;
  readonly inboxUrl: string;
  readonly logFile: string;
  /** Milliseconds UTC; makes the ids of what is pasted new ones. */
  readonly startedAt: number;
}

export function showAround(places: Places): void {
  showRequests(places);
  showDeposit(places);
  showShop(places.form, places.inboxUrl + SHOP_PATH);
  showWhere(places);
  screen.heading('Running. One line per request, transfer and callback; Ctrl-C stops everything.');
}

function showRequests(places: Places): void {
  screen.heading('Signed requests to paste. A payout sent twice is still one payout, and is answered as such.');
  for (const [title, curl] of curls(places)) {
    screen.line(`# ${title}`);
    screen.line(curl);
  }
  screen.heading('The cents decide what the stand-in bank does (all methods but 70):');
  screen.line('  .40 pending, then paid    .41 pending, then declined   .42 as .40, but we have to ask');
  screen.line('  .44 paid, never answers   .45 the request gets lost    .50 answers 500, yet has paid');
  screen.line('  .51 .52 .53 declined      .60 paid, reversed later     .61 declined, paid later   others: paid');
  screen.line('  Another amount needs another sign: docs/merchant/signatures.md, in six languages.');
}

function showDeposit(places: Places): void {
  screen.heading('A deposit to paste: first the request, then the payer, who pays to the CLABE of its reply');
  for (const [title, curl] of depositCurls(places)) {
    screen.line(`# ${title}`);
    screen.line(curl);
  }
  screen.line('  Other behaviours than exact: short, over, twice, late … Money that does not fit is held:');
  screen.line('  npx gateway deposit held, and then credited by deposit resolve, or sent back:');
  screen.line(`  STP_URL=${places.stp.url} npx gateway deposit return TRANSFER --reason "…"`);
  screen.line('  Another order needs another X-Sign: docs/merchant/host-to-host.md, in six languages.');
}

function showWhere({ sender, metricsUrl, inboxUrl, logFile }: Places): void {
  screen.heading('Where things are');
  screen.line(`  merchant  ${sender.merchantId}`);
  screen.line(`  key       ${sender.key}`);
  screen.line(`  inbox     ${inboxUrl}/ shows the callbacks`);
  screen.line(`  metrics   ${metricsUrl}/metrics`);
  screen.line(`  log       ${logFile}`);
  screen.line('  more      npx gateway payout list, deposit list, verify, doctor … in a second terminal');
}

function curls({ sender, sandbox, payoutId, startedAt }: Places): [title: string, curl: string][] {
  const run = startedAt.toString(36);
  return [
    ...[sandbox, ...BANK_EXAMPLES].map((example, index): [string, string] => [
      `payout: ${example.title}`,
      asCurl(payoutRequest(sender, example, `try-${run}-${index + 1}`)),
    ]),
    ['status of a payout', asCurl(statusRequest(sender, payoutId))],
    ['balance', asCurl(balanceRequest(sender, CARD_EUR.currency))],
    ['list of payouts', asCurl(listRequest(sender, 'withdrawal', CARD_EUR.currency, new Date(startedAt)))],
    ['list of deposits', asCurl(listRequest(sender, 'deposit', DEPOSIT.currency, new Date(startedAt)))],
  ];
}

function depositCurls({ sender, stp, startedAt }: Places): [title: string, curl: string][] {
  const order = `try-${startedAt.toString(36)}-d1`;
  return [
    [
      `deposit: ${DEPOSIT.amount} ${DEPOSIT.currency} for the new order ${order}`,
      depositCurl(depositRequest(sender, order)),
    ],
    ['the payer pays it, through the STP simulator', payCurl(stp)],
  ];
}
