/** Notices a lost connection, so that a press loses nothing that the payer has typed. */

import { find } from './page-elements.js';

const PROBE_MS = 4000;

export function showOffline(isOffline) {
  const notice = find('[data-offline]');
  if (!notice) return;
  if (notice.hidden === isOffline) notice.hidden = !isOffline;
  // The pressed button may be far below it.
  if (isOffline) notice.scrollIntoView({ block: 'nearest' });
}

/** False only if there is no connection. A slow answer is a connection. */
export async function isReachable() {
  if (!navigator.onLine) return false;
  try {
    const patience = new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    await Promise.race([fetch(find('link[rel="icon"]').href, { method: 'HEAD', cache: 'no-store' }), patience]);
    return true;
  } catch {
    return false;
  }
}

window.addEventListener('online', () => showOffline(false));
