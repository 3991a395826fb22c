/** An action of the demo's operator that waits for a second person: a program proposes a credit that a policy binds. */
import { OPERATOR_MERCHANT } from '../../../gateway/src/domain/merchants/merchant.ts';
import type { Gateway } from '../../../gateway/src/main/compose/compose.ts';

/** The threshold in minor units. */
const BOUND_ABOVE = 100_000n;
const POLICY = { act: 'funds.credit', currency: 'EUR', above: BOUND_ABOVE, merchantId: null } as const;
const CREDIT = {
  amount: '5000.00',
  currency: 'EUR',
  reference: 'STATEMENT-0417',
  reason: 'prefunding received on the bank statement (demo)',
};

/** `manageUrl` is the URL of the management API. */
export async function leaveProposal(
  { policies, tokens }: Gateway['operations'],
  manageUrl: string,
  merchantId: string,
) {
  await policies.replace(OPERATOR_MERCHANT, [POLICY], (rules) => rules.length === 0);
  const order = { name: 'statement importer (demo)', merchantId: null, scopes: ['funds:write'], days: 90 };
  const issued = await tokens.issue(order);
  if (!issued.ok) throw new Error(`the demo's program has no token: ${issued.error}`);
  const answer = await fetch(`${manageUrl}/manage/v1/merchants/${merchantId}/credits`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${issued.value.secret.reveal()}`,
      'content-type': 'application/json',
      'idempotency-key': CREDIT.reference,
    },
    body: JSON.stringify(CREDIT),
  });
  if (answer.status !== 202) throw new Error(`the demo's proposal was not accepted: ${await answer.text()}`);
}
