/** The periodic task that sends receipts by email. */
import { sendReceiptEmails } from '../../../domain/payments/send-receipt-emails.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';
import { writeReceiptEmail } from '../../../protocol/form/receipt-email.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { Hooks } from '../../observability/hooks.ts';
import { createSendMail } from '../../people/mailer.ts';
import type { GatewayCore } from '../gateway-core.ts';

/** Without a mail server there are no receipts by email. */
export function receiptTasks(
  { config, receipts: store, directory: merchants, rails, clock }: GatewayCore,
  { onProblem }: Hooks,
): PeriodicTask[] {
  if (!config.mail) return [];
  const simulated = new Set(rails.paymentRails.filter((rail) => rail.simulated).map(({ name }) => name));
  const send = createSendMail(config.mail, onProblem);
  const write: Parameters<typeof sendReceiptEmails>[0]['write'] = (merchant, paid, address) =>
    writeReceiptEmail(merchant, paid, address, simulated);
  return [
    {
      name: 'send receipts by email',
      everyMs: 3 * SECOND_MS,
      run: (signal) => sendReceiptEmails({ store, merchants, write, send, clock }, signal),
    },
  ];
}
