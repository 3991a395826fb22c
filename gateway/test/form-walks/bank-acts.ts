/** A payer's actions at their bank: on its page, embedded or full, or in its app on another device. */

import type { FrameLocator, Page } from 'playwright-core';
import { MOST_WRONG_CODES } from '../../../rail-simulators/src/adyen/three-d-secure.ts';
import { until } from '../support/tools/until.ts';
import type { WalkPayer } from './walk-payer.ts';

type Place = Pick<Page, 'locator' | 'getByText'> | FrameLocator;

export const CARD = { card_expiry: '0330', card_cvv: '737', card_holder: 'JOANA SILVA' };

export async function payByCard(payer: WalkPayer, number: string, change: Readonly<Record<string, string>> = {}) {
  await payer.at((texts) => texts.card.title);
  await payer.type({ card_number: number, ...CARD, ...change });
  await payer.press('pay');
}

/** Returns where the bank asks for its code: in the embedded frame, or without JavaScript on Adyen's page. */
async function challengePlace(payer: WalkPayer): Promise<Place> {
  const { page, way } = payer;
  if (way.hasScript) {
    await payer.at((texts) => texts.challenge.title);
    return page.frameLocator('iframe[name="step"]');
  }
  await payer.at((texts) => texts.leave.title);
  await page.locator('main a[data-go]').click();
  return page;
}

/** Each answer is a code or `cancel`. After a wrong code, the bank asks again. */
export async function answerChallenge(payer: WalkPayer, ...answers: readonly string[]): Promise<void> {
  const place = await challengePlace(payer);
  for (const [wrong, answer] of answers.entries()) {
    if (wrong > 0) await place.getByText(`${MOST_WRONG_CODES - wrong} tr`).waitFor();
    if (answer !== 'cancel') await place.locator('#code').fill(answer);
    await place.locator(`button[value="${answer === 'cancel' ? 'cancel' : 'confirm'}"]`).click();
  }
}

/** Pays the displayed or copied code in the bank's app. Returns the app's final text. */
export async function payPixCode(
  payer: WalkPayer,
  change: { readonly cpf?: string; readonly code?: string } = {},
): Promise<string> {
  const code = change.code ?? (await payer.page.locator('#code_text').inputValue());
  return payer.otherDevice(async (page) => {
    await page.goto(payer.stage.side('instant_bank').pages);
    await page.locator('#charge').fill(code);
    await page.getByRole('button').click();
    if (change.cpf !== undefined) await page.locator('#cpf').fill(change.cpf);
    await page.getByRole('button', { name: /^Pay/ }).click();
    return (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  });
}

/** On the embedded Trustly page, chooses a bank, logs in, and then agrees, cancels or stays. */
export async function payInTrustlyFrame(
  { page }: WalkPayer,
  bank: string,
  then: 'agree' | 'cancel' | 'stay',
): Promise<void> {
  const frame = page.frameLocator('iframe[name="bank"]');
  await frame.getByRole('button', { name: bank }).click();
  await frame.locator('#user').fill('1234');
  await frame.locator('#code').fill('5678');
  await frame.getByRole('button', { name: 'Log in' }).click();
  const agree = frame.getByRole('button', { name: /^Pay/ });
  await agree.waitFor();
  if (then === 'agree') await agree.click();
  if (then === 'cancel') await frame.getByRole('button', { name: 'Cancel' }).click();
}

/** Injects faults into a provider while `act` runs. */
export async function withFaults(
  payer: WalkPayer,
  paymentType: Parameters<WalkPayer['choose']>[0],
  faults: Readonly<Record<string, unknown>>,
  act: () => Promise<void>,
): Promise<void> {
  const side = payer.stage.side(paymentType);
  const before = await side.control('faults', {});
  await side.control('faults', faults);
  try {
    await act();
  } finally {
    const undone = Object.fromEntries(Object.keys(faults).map((name) => [name, before[name]]));
    await side.control('faults', undone);
  }
}

/** At the payer's bank behind Token.io, logs in and presses that button. */
export async function decideAtBank({ page }: WalkPayer, button: string): Promise<void> {
  await logInAtBank(page, 'a password');
  await page.getByRole('button', { name: button, exact: true }).click();
}

export async function logInAtBank(page: Page, password: string): Promise<void> {
  await page.locator('#user').fill('aino');
  await page.locator('#password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/**
 * In the payer's mailbox: opens the newest money request to `email`, chooses a bank if one is given, and presses the button.
 * `requests` is the expected number of messages, because the newest may be late and earlier ones stay in the inbox.
 */
export function answerMoneyRequest(
  payer: WalkPayer,
  email: string,
  { bank, button }: { readonly bank?: string; readonly button: string },
  requests = 1,
): Promise<void> {
  return payer.otherDevice(async (page) => {
    const inbox = `${payer.stage.side('e_transfer').pages}/inbox?${new URLSearchParams({ email })}`;
    const messages = page.locator('main li a');
    await until('the money request is in the inbox', async () => {
      await page.goto(inbox);
      return (await messages.count()) === requests;
    });
    await messages.first().click();
    if (bank !== undefined) await page.getByLabel(bank).check();
    await page.getByRole('button', { name: button }).click();
  });
}
