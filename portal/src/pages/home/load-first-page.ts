/** The first page of a user: the inbox for operator users, the figures of the day for merchant users. */
import type { OwnSession } from '../../api/session.ts';

export const loadHome = () => import('./home-page.tsx');
export const loadInbox = () => import('../inbox/inbox-page.tsx');

export const loadFirstPage = ({ merchantId }: OwnSession) => (merchantId === null ? loadInbox() : loadHome());
