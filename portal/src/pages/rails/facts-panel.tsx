/** The facts about a rail: its methods, purposes, workers and hours. */
import { Group } from '@mantine/core';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { methodName } from '../../parts/names/method-name.ts';
import { Details } from '../../parts/page/details.tsx';
import { operatorPages } from '../../words/operator/operator-pages.ts';
import { inFlightOf } from './rail-state.ts';

const words = operatorPages.rails;

export function FactsPanel({ rail }: { rail: Rail }) {
  const { methods, purposes, notifies, simulated, workers, hours, name } = rail;
  const may = useMay();
  return (
    <Details
      title={words.facts}
      rows={[
        { name: words.inFlight, value: inFlightOf(rail) },
        {
          name: words.workers,
          value:
            workers.length === 0 ? words.noWorker : workers.map(({ breaker }) => words.breakers[breaker]).join(', '),
        },
        { name: words.methods, value: methods.map(methodName).join(', ') || words.none },
        { name: words.purposes, value: purposes.join(', ') || words.none },
        {
          name: words.hours,
          value: (
            <Group gap="xs">
              {hours ?? words.alwaysOpen}
              {may('rails:write') ? <SetHours rail={name} hours={hours} /> : null}
            </Group>
          ),
        },
        { name: words.notifies, value: notifies ? words.yes : words.no },
        { name: words.simulated, value: simulated ? words.yes : words.no },
      ]}
    />
  );
}

function SetHours({ rail, hours }: { rail: string; hours: string | null }) {
  return (
    <ActButton
      act="rails.setHours"
      params={{ rail }}
      label={words.change}
      name={`${words.change}: ${words.hours}`}
      text={words.hoursText}
      fields={[{ name: 'hours', label: words.hours, hint: words.hoursHint, initial: hours ?? '' }]}
      bodyOf={({ hours: text = '' }) => ({ hours: text === '' ? null : text })}
      button={{ size: 'compact-xs' }}
    />
  );
}
