/** The first page of a person: the inbox for the operator’s people, the day’s figures for a merchant’s people. */
import { lazy, Suspense } from 'react';
import { useSession } from '../api/session.ts';
import { Loading } from '../parts/loading/loading.tsx';

const loadHome = () => import('./home-page.tsx');
const loadInbox = () => import('./office/inbox-page.tsx');

const HomePage = lazy(loadHome);
const InboxPage = lazy(loadInbox);

export const preload = () => Promise.all([loadHome(), loadInbox()]);

export default function FirstPage() {
  const isOperator = useSession().merchantId === null;
  return <Suspense fallback={<Loading />}>{isOperator ? <InboxPage /> : <HomePage />}</Suspense>;
}
