/** Runs the conformance test of the SDK: calls it for each line of JSON, and prints one line of JSON per call. */
import { createInterface } from 'node:readline';
import { explainSign, Gateway, verifyCallback } from '../src/payment-gateway.ts';

interface Call {
  readonly baseUrl: string;
  readonly merchant: string;
  readonly apiKey: string;
  readonly formKey: string;
  readonly call: string;
  // biome-ignore lint/suspicious/noExplicitAny: each call has arguments of its own, and the test writes them.
  readonly args: any;
}

async function perform({ call, args, ...account }: Call): Promise<unknown> {
  const { apiKey } = account;
  if (call === 'explainSign') return explainSign(args, apiKey);
  if (call === 'verifyCallback') return verifyCallback(args, { apiKey, now: () => args.now * 1_000 });
  const gateway = new Gateway({ ...account, timeoutMs: 10_000, sleep: async () => {} });
  switch (call) {
    case 'sendPayout':
      return gateway.sendPayout(args);
    case 'payoutStatus':
      return (await gateway.payoutStatus(args.payout_id)) ?? null;
    case 'balance':
      return gateway.balance(args.currency);
    case 'payments':
      return all(gateway.payments(args));
    case 'createDeposit':
      return gateway.createDeposit(args);
    case 'formLink':
      return gateway.formLink(args);
    default:
      throw new Error(`no call is named ${call}`);
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await perform(JSON.parse(line)).then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.name, message: error.message }),
  );
  console.log(JSON.stringify(answer));
}
