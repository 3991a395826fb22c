/** The first page of a person: the inbox for the operator’s people, the day’s figures for a merchant’s people. */
import type { OwnSession } from '../../api/session.ts';

export const loadHome = () => import('./home-page.tsx');
export const loadInbox = () => import('./inbox-page.tsx');

export const loadFirstPage = ({ merchantId }: OwnSession) => (merchantId === null ? loadInbox() : loadHome());
