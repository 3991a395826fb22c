/** The events of the gateway, page by page. */
import type { EVENT_ENDPOINTS } from '../../../../contract/endpoints/events.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { ok } from '../../../foundation/result.ts';
import type { HandlersOf } from '../handler.ts';
import { placeText, readEventPage, readStart, viewEvent } from '../streams/read-events.ts';
import { actorsShownTo } from '../views/mask.ts';

export function eventHandlers({ events, people }: GatewayOperations): HandlersOf<typeof EVENT_ENDPOINTS> {
  return {
    async 'events.list'({ query, caller }) {
      const start = await readStart(events, query.after);
      if (!start.ok) return start;
      const wanted = { merchantId: query.merchantId ?? null, after: start.value, limit: query.limit ?? 50 };
      const page = await readEventPage(events, caller, wanted);
      const show = await actorsShownTo(caller, people.actorNames, page.events.length === 0);
      const items = page.events.map((event) => viewEvent(event, show));
      return ok({ answer: { items, next: placeText(page.next), hasMore: page.hasMore } });
    },
  };
}
