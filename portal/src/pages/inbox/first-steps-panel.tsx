/**
 * Guides the operator of a new installation through its first steps: users, a merchant, a rail, a payout, its callback. Each
 * step checks itself. The panel disappears once all are done or the user hides it.
 */
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { usePolling } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../parts/elements/elements.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { ButtonLink } from '../../parts/links/button-link.tsx';
import { newPayoutPath, OPERATOR_MERCHANT, type PagePath } from '../../parts/links/paths.ts';
import { inboxPages } from '../../words/operator/inbox.ts';
import { type FirstStep, firstStepsOf } from './first-steps.ts';
import { areStepsHidden, hideSteps, mayReadSteps, STEP_READS } from './inbox-reads.ts';

const words = inboxPages.firstSteps;
/** The sandbox's method. */
const SANDBOX_METHOD = 70;

export function FirstSteps() {
  const [isHidden, setHidden] = useState(areStepsHidden);
  const { steps, merchantId } = useFirstSteps(!isHidden);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || steps.length === 0 || done === steps.length) return null;
  const hide = () => {
    hideSteps();
    setHidden(true);
  };
  return (
    <Panel
      title={words.title}
      side={
        <Button look="subtle" size="compact-xs" onClick={hide}>
          {words.hide}
        </Button>
      }
    >
      <progress value={done} max={steps.length} aria-label={words.progress(done, steps.length)} />
      <ul className="steps">
        {steps.map((step) => (
          <StepShown
            key={step.name}
            step={step}
            isNext={step === steps.find(({ isDone }) => !isDone)}
            merchantId={merchantId}
          />
        ))}
      </ul>
    </Panel>
  );
}

function useStep<Source extends keyof typeof STEP_READS>(source: Source, isAllowed: boolean) {
  const [name, options] = STEP_READS[source];
  return usePolling<(typeof STEP_READS)[Source][0]>(name, options as never, isAllowed).data;
}

/** Returns nothing until everything was read, so that no completed step is shown as open. */
function useFirstSteps(isWanted: boolean): { readonly steps: readonly FirstStep[]; readonly merchantId: string } {
  const isAllowed = mayReadSteps(useMay()) && isWanted;
  const people = useStep('people', isAllowed);
  const invitations = useStep('invitations', isAllowed);
  const merchants = useStep('merchants', isAllowed);
  const rails = useStep('rails', isAllowed);
  const payouts = useStep('payouts', isAllowed);
  const callbacks = useStep('callbacks', isAllowed);
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
  /** The first step that is not done. */
  readonly isNext: boolean;
  readonly merchantId: string;
}

function StepShown({ step: { name, isDone }, isNext, merchantId }: StepProps) {
  const { title, text, button } = words.steps[name];
  const to = name === 'payout' && merchantId !== '' ? newPayoutPath(merchantId) : PATHS[name];
  return (
    <li>
      <span className="mark" data-done={isDone}>
        {isDone ? <IconCheck size={14} aria-hidden /> : <IconCircleDashed size={14} aria-hidden />}
      </span>
      <div>
        <p className={isDone ? 'small muted' : isNext ? 'small strong' : 'small'}>
          {title} {isDone ? <span>({words.done})</span> : null}
        </p>
        {isNext ? <p className="small muted">{text}</p> : null}
      </div>
      {isDone ? null : (
        <ButtonLink to={to} name={button}>
          {button}
        </ButtonLink>
      )}
    </li>
  );
}

const PATHS: Readonly<Record<FirstStep['name'], PagePath>> = {
  people: '/team',
  merchant: '/merchants',
  rail: '/rails',
  payout: '/merchants',
  callback: '/callbacks',
};
