/**
 * Reloads the page when its payment has changed. It learns of changes from a stream or by polling, and shows nothing
 * itself.
 */

import { showOffline } from './connection.js';
import { body } from './page-elements.js';
import { reloadPage } from './reload.js';

const FIRST_POLL_MS = 3000;
const LONGEST_POLL_MS = 15000;

export function followStatus() {
  const { eventsUrl, versionUrl, version } = body.dataset;
  if (!eventsUrl) return;
  let isOver = false;
  const hear = (other) => {
    if (isOver || other === '' || other === version) return;
    isOver = true;
    reloadPage();
  };
  const poll = async (waitMs) => {
    if (isOver) return;
    try {
      const answer = await fetch(versionUrl, { cache: 'no-store' });
      showOffline(false);
      if (answer.ok) hear((await answer.text()).trim());
    } catch {
      // The next poll below tries again.
      showOffline(true);
    }
    setTimeout(() => poll(Math.min(LONGEST_POLL_MS, waitMs * 1.5)), waitMs);
  };
  const events = new EventSource(eventsUrl);
  window.addEventListener('offline', () => showOffline(true));
  events.onopen = () => showOffline(false);
  events.onmessage = ({ data }) => hear(data);
  events.onerror = () => {
    // The browser reconnects a broken stream by itself, but not a rejected one.
    if (events.readyState !== EventSource.CLOSED || isOver) return;
    poll(FIRST_POLL_MS);
  };
}
