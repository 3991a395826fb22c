/** The path of a payment’s money: its accounts and amounts in the order of the postings, and the expected next posting. */
import './money-picture.css';
import { Text } from '@mantine/core';
import { IconArrowNarrowRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { LedgerLine } from '../../../../gateway/contract/parts/answer-parts.ts';
import { useMay, useSession } from '../../api/session.ts';
import { useWords } from '../../words/words.ts';
import { Panel } from '../elements/panel.tsx';
import { PageLink } from '../links/page-link.tsx';
import { movementsPath } from '../links/paths.ts';
import { Money } from '../money/money.tsx';
import { accountName } from '../names/account-name.ts';
import { Moment } from '../time/moment.tsx';
import { type Chain, chainsOf, type Place, type Step } from './money-picture.ts';

interface MoneyPictureProps {
  readonly lines: readonly LedgerLine[];
  readonly expected?: readonly Place[];
}

export function MoneyPicture({ lines, expected = [] }: MoneyPictureProps) {
  const { payment } = useWords();
  const chains = chainsOf(lines, expected);
  return (
    <Panel title={payment.money}>
      {chains.length === 0 ? (
        <p className="small muted">{payment.noMoney}</p>
      ) : (
        <ol className="chains">
          {chains.map((chain) => (
            <li key={chain.steps[0]?.journal}>
              <ChainShown chain={chain} isLast={chain === chains.at(-1)} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** The money is where the last completed step has brought it. */
function ChainShown({ chain: { from, steps }, isLast }: { chain: Chain; isLast: boolean }) {
  const happened = steps.filter(({ at }) => at !== null);
  return (
    <div className="chain">
      <PlaceShown place={from} sign="−" />
      {steps.map((step) => (
        <Fragment key={step.journal}>
          <Arrow step={step} />
          <div className="places">
            {step.places.map((place) => (
              <PlaceShown
                key={place.account}
                place={place}
                sign="+"
                isHere={isLast && step === happened.at(-1)}
                isExpected={step.at === null}
              />
            ))}
          </div>
        </Fragment>
      ))}
    </div>
  );
}

function Arrow({ step: { at, journal } }: { step: Step }) {
  const { payment } = useWords();
  const may = useMay();
  const isOperator = useSession().merchantId === null;
  return (
    <div className="arrow">
      <IconArrowNarrowRight size={22} stroke={1.4} aria-label={payment.moves} role="img" />
      <Text size="xs" className="muted" component="span">
        {at === null ? payment.expected : null}
        {at !== null && isOperator && may('ledger:read') ? (
          <PageLink to={movementsPath({ journal })}>
            <Moment at={at} isShort />
          </PageLink>
        ) : null}
        {at !== null && !isOperator ? <Moment at={at} isShort /> : null}
      </Text>
    </div>
  );
}

interface PlaceProps {
  readonly place: Place;
  readonly sign: string;
  readonly isHere?: boolean;
  readonly isExpected?: boolean;
}

function PlaceShown({ place, sign, isHere = false, isExpected = false }: PlaceProps) {
  const words = useWords();
  return (
    <div
      className="place"
      {...(isHere ? { 'data-here': true } : {})}
      {...(isExpected ? { 'data-expected': true } : {})}
    >
      <p className="tiny muted">{accountName(place.account, words)}</p>
      <Text size="sm" fw={isExpected ? 400 : 600}>
        {sign}
        <Money amount={place.amount} currency={place.currency} />
      </Text>
    </div>
  );
}
