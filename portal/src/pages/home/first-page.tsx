/** The first page of a user. The entry starts loading it as soon as the session is known. */
import { lazy, Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { Loading } from '../../parts/loading/loading.tsx';
import { loadHome, loadInbox } from './load-first-page.ts';

const HomePage = lazy(loadHome);
const InboxPage = lazy(loadInbox);

export function FirstPage() {
  const isOperator = useSession().merchantId === null;
  return <Suspense fallback={<Loading />}>{isOperator ? <InboxPage /> : <HomePage />}</Suspense>;
}
