/** The first page of a person: the inbox for the operator’s people, the day’s figures for a merchant’s people. */
import { lazy, Suspense } from 'react';
import { useSession } from '../api/session.ts';
import { Loading } from '../parts/states.tsx';

const HomePage = lazy(() => import('./home-page.tsx'));
const InboxPage = lazy(() => import('./office/inbox-page.tsx'));

export default function FirstPage() {
  const isOperator = useSession().merchantId === null;
  return <Suspense fallback={<Loading />}>{isOperator ? <InboxPage /> : <HomePage />}</Suspense>;
}
