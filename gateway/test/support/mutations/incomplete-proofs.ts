/**
 * Removes one value at a time from genuine notifications of each provider. A notification that still proves a success by
 * itself must name the same payment and the same amount as before.
 */
import type { RailNews, RailNotifications } from '../../../src/domain/notifications/rail-notification.ts';
import { formatMoney, type Money } from '../../../src/foundation/money.ts';
import type { TappedNotification } from '../form-providers/notification-tap.ts';
import { placesOf, replacedAt } from './mutate.ts';
import type { Sealer } from './sealers.ts';

export interface IncompleteProofs {
  /** True if a genuine notification proves a success without a query to the provider. */
  readonly provesAlone: boolean;
  /** The values without which a notification proves a different success. */
  readonly faults: readonly string[];
}

export function findIncompleteProofs(
  { read }: RailNotifications,
  genuine: readonly TappedNotification[],
  sealer: Sealer,
): IncompleteProofs {
  const successes = (notification: TappedNotification) => {
    const { headers, body } = notification;
    const reading = read({ headers, body: Buffer.from(body), clientAddress: '127.0.0.1' });
    return reading.ok ? reading.value.news.flatMap(successOf) : [];
  };
  const proving = genuine.filter((each) => successes(each).length > 0);
  const faults = proving.flatMap((like) => {
    const text = sealer.open(like);
    const whole = successes(like);
    return placesOf(text).flatMap((place) =>
      [undefined, null, ''].flatMap((nothing) => {
        const proved = successes(sealer.seal(replacedAt(text, place, nothing), like));
        return proved.every((each) => whole.includes(each)) ? [] : [`${place} ${nothing}: ${proved}`];
      }),
    );
  });
  return { provesAlone: proving.length > 0, faults };
}

/** Empty unless the gateway would record money or a final state from this news alone. */
function successOf(news: RailNews): string[] {
  const named = (kind: string, name: string, money: Money) => [`${kind} ${name} ${formatMoney(money)}`];
  if (news.kind === 'payment')
    return news.news.kind === 'paid' ? named('paid', news.news.reference, news.news.money) : [];
  if (news.kind === 'received') return news.ask ? [] : named('received', news.transfer.payTo, news.transfer.money);
  // The gateway queries the provider about an execution without an amount.
  return news.kind === 'executed' && !news.ask && news.money ? named('executed', news.reference, news.money) : [];
}
