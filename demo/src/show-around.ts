/** Prints the reader's next steps: the merchant, requests to paste, and URLs. It starts nothing. */

import { DEPOSIT, depositCurl, depositRequest, payCurl } from './deposit-example.ts';
import {
  asCurl,
  balanceRequest,
  CARD_EUR,
  type Example,
  listRequest,
  payoutRequest,
  type Sender,
  statusRequest,
} from './payout-examples.ts';
import type { ProviderPlace } from './providers/provider.ts';
import { screen } from './screen.ts';
import type { ShopSender } from './shop/form-link.ts';
import type { Try } from './shop/offer.ts';
import { SHOP_PATH } from './shop/shop.ts';
import { shelvesOf, showShop } from './show-shop.ts';
import type { SimulatorPlace } from './simulator.ts';

interface Places {
  readonly sender: Sender & ShopSender;
  readonly sandbox: Example;
  readonly stp: SimulatorPlace;
  readonly providers: readonly ProviderPlace[];
  /** An existing payout. */
  readonly payoutId: string;
  readonly metricsUrl: string;
  readonly inboxUrl: string;
  readonly logFile: string;
  /** The time in milliseconds since the epoch. It makes the ids in pasted commands unique. */
  readonly startedAt: number;
}

export function showAround(places: Places): void {
  showPayouts(places);
  showQuestions(places);
  showDeposit(places);
  showShop(shelvesOf(places.providers), places.inboxUrl + SHOP_PATH);
  showWhere(places);
  screen.heading('Running. One line per request, transfer and callback; Ctrl-C stops everything.');
}

/** Prints one payout per method, below the provider that carries it. */
function showPayouts({ sender, sandbox, providers, startedAt }: Places): void {
  let count = 0;
  const showPayout = (example: Example, kind = 'payout') => {
    const payoutId = `try-${startedAt.toString(36)}-${++count}`;
    showCommand(`${kind}: ${example.title}`, asCurl(payoutRequest(sender, example, payoutId)));
  };
  screen.heading('Signed payouts to paste, one for each method. A payout that you send twice is paid once.');
  screen.line('The sandbox, inside the gateway');
  showPayout(sandbox);
  for (const place of providers) {
    const { payouts, name } = place.provider;
    if (!payouts) continue;
    screen.line(`${name}, its simulator on ${place.url}`);
    for (const example of payouts.examples) showPayout(example);
    const last = payouts.examples.at(-1);
    if (payouts.cents && last) showPayout(declinedLike(last, payouts.cents), 'declined payout');
  }
  screen.line('  To pay by a method again, restart the demo: a used payout_id never makes a new payout.');
  screen.line('  A changed amount or account needs a new sign: docs/merchant/signatures.md, in six languages.');
}

/** Returns the example with an amount whose cents make the simulator decline it. */
function declinedLike(example: Example, others: readonly Try[]): Example {
  const instead = others.map(([cents, outcome]) => `${cents} ${outcome}`).join(', ');
  return {
    ...example,
    amount: example.amount.replace(/\d\d$/, '51'),
    title: `method ${example.method} with cents .51; ${instead}`,
  };
}

function showQuestions({ sender, payoutId, startedAt }: Places): void {
  const since = new Date(startedAt);
  screen.heading('Signed questions to paste');
  showCommand('status of a payout', asCurl(statusRequest(sender, payoutId)));
  showCommand('balance', asCurl(balanceRequest(sender, CARD_EUR.currency)));
  showCommand('list of payouts', asCurl(listRequest(sender, 'withdrawal', CARD_EUR.currency, since)));
  showCommand('list of deposits', asCurl(listRequest(sender, 'deposit', DEPOSIT.currency, since)));
}

function showCommand(title: string, command: string): void {
  screen.line(`# ${title}`);
  screen.line(command);
}

function showDeposit({ sender, stp, startedAt }: Places): void {
  screen.heading('A deposit to paste: first the request, then the payer’s transfer to the CLABE in the response');
  const order = `try-${startedAt.toString(36)}-d1`;
  const title = `deposit: ${DEPOSIT.amount} ${DEPOSIT.currency} for the new order ${order}`;
  showCommand(title, depositCurl(depositRequest(sender, order)));
  showCommand('the payer pays, through the STP simulator', payCurl(stp));
  screen.line('  Other behaviours than exact: short, over, twice, late … A transfer that does not match is held:');
  screen.line('  list it with npx gateway deposit held, credit it with deposit resolve, or return it:');
  screen.line(`  STP_URL=${stp.url} npx gateway deposit return TRANSFER --reason "…"`);
  screen.line('  Another order needs a new X-Sign: docs/merchant/host-to-host.md, in six languages.');
}

function showWhere({ sender, metricsUrl, inboxUrl, logFile }: Places): void {
  screen.heading('Where things are');
  screen.line(`  merchant  ${sender.merchantId}`);
  screen.line(`  key       ${sender.key}`);
  screen.line(`  form key  ${sender.formKey}`);
  screen.line(`  inbox     ${inboxUrl}/ (the received callbacks)`);
  screen.line(`  metrics   ${metricsUrl}/metrics`);
  screen.line(`  log       ${logFile}`);
  screen.line('  more      npx gateway payout list, deposit list, verify, doctor … in a second terminal');
}
