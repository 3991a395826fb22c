/**
 * Payouts to cards in manats through Epoint, which pays only to registered cards. The demo registers one at startup, as
 * merchants do, and adds it to the gateway's card file.
 */
import { createHash, createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/epoint/gateway-variables.ts';
import { DemoFailure } from '../demo-failure.ts';
import { VISA_CARD } from '../payout-examples.ts';
import type { Simulator, SimulatorPlace } from '../simulator.ts';
import type { Provider, Rails } from './provider.ts';

type Account = NonNullable<Rails['epoint']>;

export const epoint: Provider = {
  name: 'Epoint',
  kind: {
    name: 'Epoint simulator',
    program: 'epoint',
    server: 'epoint-simulator',
    probe: '/control/summary',
    variables: { url: 'EPOINT_URL', port: 'EPOINT_PORT', secret: 'EPOINT_CONTROL_SECRET' },
  },
  usualPort: '4110',
  otherPorts: {},
  controlSecret: 'epoint-control-secret',
  variables: ({ EPOINT_PORT }, folder) => ({
    ...gatewayVariables(`http://127.0.0.1:${EPOINT_PORT}`),
    EPOINT_CARDS_FILE: `${folder}/epoint/demo-cards`,
  }),
  environment: ({ epoint: known }, { gatewayUrl, dataDir }) => ({
    EPOINT_PUBLIC_KEY: known?.publicKey ?? '',
    EPOINT_PRIVATE_KEY: known?.privateKey.reveal() ?? '',
    EPOINT_RESULT_URL: `${gatewayUrl}/rail-notifications/epoint`,
    EPOINT_BOOK: join(dataDir, 'epoint.jsonl'),
  }),
  async prepare(at, place, { epoint: account }) {
    if (!account) return;
    const cardId = await registerCard(at, place, account);
    const hash = createHmac('sha256', account.privateKey.reveal()).update(VISA_CARD).digest('hex');
    await mkdir(dirname(account.cardsFile), { recursive: true });
    await writeFile(account.cardsFile, `${hash} ${cardId}\n`, { mode: 0o600 });
  },
  payouts: {
    examples: [
      {
        title: 'card AZN (11): paid immediately; every other card is unregistered and declined',
        method: 11,
        amount: '11.00',
        currency: 'AZN',
        fields: { account: VISA_CARD },
      },
      {
        title: 'card AZN with its expiry date (17): the same',
        method: 17,
        amount: '17.00',
        currency: 'AZN',
        fields: { account: VISA_CARD, exp_date: '12/39' },
      },
    ],
    cents: [
      ['.40', 'is pending first'],
      ['.44', 'is found by a query'],
    ],
  },
};

/** Requests a card_id from Epoint, and enters the card's number on Epoint's page as its holder would. */
async function registerCard(at: Simulator, { kind, url }: SimulatorPlace, account: Account): Promise<string> {
  const fields = { public_key: account.publicKey, language: 'en', refund: '1' };
  const data = Buffer.from(JSON.stringify(fields)).toString('base64');
  const key = account.privateKey.reveal();
  const signature = createHash('sha1').update(`${key}${data}${key}`).digest('base64');
  const body = new URLSearchParams({ data, signature });
  const answer = await fetch(`${account.url}/card-registration`, { method: 'POST', body });
  const { card_id: cardId } = (await answer.json()) as { card_id?: string };
  if (cardId && (await at.ask('/control/register', { card_id: cardId, card: VISA_CARD })).ok) return cardId;
  throw new DemoFailure(`The demo's card cannot be registered at the ${kind.name} on ${url}: stop that simulator`);
}
