/** A user without a mouse: Tab moves the focus, and Enter presses the focused element. */
import type { Locator } from 'playwright-core';
import type { Visitor } from './portal-stage.ts';

/** More than any page has controls. */
const MOST_TABS = 250;

/** Searches once, because a search by role computes the role and name of every element. */
async function elementOf(control: Locator) {
  const element = await control.elementHandle();
  if (element === null) throw new Error(`${control} is not on the page`);
  return element;
}

/** Presses the key until the control has the focus. Throws if it never does. */
export async function tabTo({ page }: Visitor, control: Locator, key = 'Tab'): Promise<void> {
  await control.waitFor();
  const isBehindTheMenu = await control.evaluate(
    (element) =>
      element.ownerDocument.activeElement === element.ownerDocument.body && element.closest('#content') !== null,
  );
  if (isBehindTheMenu) {
    // Skips the menu, through the first control of the page.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  }
  let element = await elementOf(control);
  for (let presses = 0; presses < MOST_TABS; presses++) {
    const found = await element.evaluate(
      (each) => each.isConnected && (each === each.ownerDocument.activeElement || null),
    );
    if (found) return;
    if (found === false) element = await elementOf(control);
    else await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach ${control}`);
}

/** `times` of 2 is a user who does not wait for the response. */
export async function pressAt(visitor: Visitor, control: Locator, times = 1): Promise<void> {
  await tabTo(visitor, control);
  for (let time = 0; time < times; time++) await visitor.page.keyboard.press('Enter');
}

export async function typeInto(visitor: Visitor, field: Locator, text: string): Promise<void> {
  await tabTo(visitor, field);
  await visitor.page.keyboard.press('ControlOrMeta+a');
  await visitor.page.keyboard.type(text);
}
