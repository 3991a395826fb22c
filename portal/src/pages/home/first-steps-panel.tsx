/**
 * Leads through a gateway that has just been installed: people, a merchant, a rail, a payout, its callback. Each step checks
 * itself, and the whole disappears when all are done, or when the person hides it.
 */
import { Button, Group, List, Progress, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { usePolling } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Panel } from '../../parts/details.tsx';
import { ButtonLink } from '../../parts/links/button-link.tsx';
import { newPayoutPath, OPERATOR_MERCHANT, type PagePath } from '../../parts/links/paths.ts';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { type FirstStep, firstStepsOf } from './first-steps.ts';

const words = operatorPages.firstSteps;
/** The method of the sandbox. */
const SANDBOX_METHOD = 70;
const HIDDEN = 'first-steps-hidden';

export function FirstSteps() {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const { steps, merchantId } = useFirstSteps(!isHidden);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || steps.length === 0 || done === steps.length) return null;
  const hide = () => {
    localStorage.setItem(HIDDEN, 'yes');
    setHidden(true);
  };
  return (
    <Panel
      title={words.title}
      side={
        <Button variant="subtle" size="compact-xs" onClick={hide}>
          {words.hide}
        </Button>
      }
    >
      <Progress value={(100 * done) / steps.length} size="sm" mb="sm" aria-label={words.progress(done, steps.length)} />
      <List listStyleType="none" spacing="sm" styles={{ itemWrapper: { display: 'flex' }, itemLabel: { flex: 1 } }}>
        {steps.map((step) => (
          <StepShown
            key={step.name}
            step={step}
            isNext={step === steps.find(({ isDone }) => !isDone)}
            merchantId={merchantId}
          />
        ))}
      </List>
    </Panel>
  );
}

/** Returns nothing until everything was read, so that no completed step appears as open. */
function useFirstSteps(isWanted: boolean): { readonly steps: readonly FirstStep[]; readonly merchantId: string } {
  const may = useMay();
  const isAllowed =
    isWanted && (['people:read', 'merchants:read', 'rails:read', 'payouts:read', 'callbacks:read'] as const).every(may);
  const people = usePolling('people.list', {}, isAllowed).data;
  const invitations = usePolling('invitations.list', {}, isAllowed).data;
  const merchants = usePolling('merchants.list', {}, isAllowed).data;
  const rails = usePolling('rails.list', {}, isAllowed).data;
  const payouts = usePolling('payouts.list', { query: { state: 'success', limit: 1 } }, isAllowed).data;
  const callbacks = usePolling('callbacks.list', { query: { state: 'delivered', limit: 1 } }, isAllowed).data;
  if (!people || !invitations || !merchants || !rails || !payouts || !callbacks) return { steps: [], merchantId: '' };
  const own = merchants.items.filter(({ merchantId }) => merchantId !== OPERATOR_MERCHANT);
  return {
    merchantId: own[0]?.merchantId ?? '',
    steps: firstStepsOf({
      people: people.items.length + invitations.items.length,
      merchants: own.length,
      rails: rails.items.filter(({ methods }) => methods.length !== 1 || methods[0] !== SANDBOX_METHOD).length,
      payouts: payouts.items.length,
      callbacks: callbacks.items.length,
    }),
  };
}

interface StepProps {
  readonly step: FirstStep;
  /** The first one that is not done. */
  readonly isNext: boolean;
  readonly merchantId: string;
}

function StepShown({ step: { name, isDone }, isNext, merchantId }: StepProps) {
  const { title, text, button } = words.steps[name];
  const to = name === 'payout' && merchantId !== '' ? newPayoutPath(merchantId) : PATHS[name];
  return (
    <List.Item
      icon={
        <ThemeIcon size={24} radius="xl" variant={isDone ? 'filled' : 'light'} color={isDone ? 'petrol' : 'gray'}>
          {isDone ? <IconCheck size={14} aria-hidden /> : <IconCircleDashed size={14} aria-hidden />}
        </ThemeIcon>
      }
    >
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Text size="sm" fw={isNext ? 600 : 400} {...(isDone ? { className: 'muted' } : {})}>
            {title} {isDone ? <span className="muted">({words.done})</span> : null}
          </Text>
          {isNext ? (
            <Text size="sm" className="muted">
              {text}
            </Text>
          ) : null}
        </div>
        {isDone ? null : (
          <ButtonLink to={to} name={button}>
            {button}
          </ButtonLink>
        )}
      </Group>
    </List.Item>
  );
}

const PATHS: Readonly<Record<FirstStep['name'], PagePath>> = {
  people: '/team',
  merchant: '/merchants',
  rail: '/rails',
  payout: '/merchants',
  callback: '/callbacks',
};
