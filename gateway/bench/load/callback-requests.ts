/**
 * Sends the callback of a payout to the receiver without the gateway, to measure the capacity of the receiver and the
 * connection.
 */
import { rawPost } from './raw-post.ts';
import type { Verdict } from './run-load.ts';

const BODY = 'merchant=bench-1&payout_id=B1&status=Success&code=0&description=Completed&amount=1.00&currency=UAH';

export function callbackRequest(url: URL, index: number): Buffer {
  return rawPost(url, '/', BODY, {
    'Content-Type': 'application/x-www-form-urlencoded',
    'webhook-id': `floor_${index}`,
  });
}

export function judgeCallback(status: number, text: string): Verdict {
  return status === 200 && text.endsWith('OK') ? 'good' : 'bad';
}
