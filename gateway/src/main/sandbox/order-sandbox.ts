/** Sends a merchant's order to the sandbox that serves their world, signed with their API key of that world. */
import type { OrderSandbox } from '../../cli/command-host.ts';
import { CommandFailure } from '../../cli/command-output.ts';
import { xSign } from '../../protocol/signatures/merchant-signature.ts';

export const orderSandbox: OrderSandbox = async ({ url, merchantId, key, order }) => {
  const body = JSON.stringify(order);
  const address = `${url.href.replace(/\/$/, '')}/${encodeURIComponent(merchantId)}/sandbox`;
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sign': xSign(Buffer.from(body), key) },
    body,
  }).catch(() => {
    throw new CommandFailure(`No sandbox responds at ${url.origin}. Start it: npm run sandbox -- ${merchantId}`);
  });
  const said = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  if (!answer.ok) {
    // A bank names the invalid field in its own response.
    const reason = said['error'] ?? (said['answer'] ? JSON.stringify(said['answer']) : `HTTP ${answer.status}`);
    throw new CommandFailure(`The sandbox rejected the order: ${reason}`);
  }
  return said;
};
