/** The URLs to which the gateway sends a merchant’s callbacks, each with a signed example on request. */
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import { settingsPath } from '../../parts/links/paths.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { Deliveries } from '../../parts/payment/deliveries.tsx';
import { useWords } from '../../words/words.ts';

const FIELDS = { deposit: 'processUrl', payout: 'payoutCallbackUrl', event: 'eventUrl' } as const;
type Subject = keyof typeof FIELDS;

export function CallbackTester({ merchantId }: { merchantId: string }) {
  const { tester, settings } = useWords();
  const isOwn = useSession().merchantId !== null;
  const [tested, setTested] = useState<{ subject: Subject; delivery: Answer<'callbacks.test'> } | null>(null);
  const mayTest = useMay()('callbacks:write');
  return (
    <Panel
      title={tester.title}
      side={<PageLink to={isOwn ? '/settings' : settingsPath(merchantId)}>{settings.title}</PageLink>}
    >
      <Shown of={useReading('merchants.show', { params: { merchantId } })}>
        {(merchant) => (
          <Stack gap="sm">
            {(Object.keys(FIELDS) as Subject[]).map((subject) => {
              const name = settings.fields[FIELDS[subject]];
              const address = merchant[FIELDS[subject]] ?? (subject === 'payout' ? merchant.processUrl : null);
              return (
                <div key={subject}>
                  <Group justify="space-between" gap="xs">
                    <Text size="sm">
                      {name}
                      <br />
                      {address === null ? (
                        <span className="muted">{tester.none}</span>
                      ) : (
                        <span className="code">{address}</span>
                      )}
                    </Text>
                    {mayTest && address !== null ? (
                      <ActButton
                        act="callbacks.test"
                        params={{ merchantId }}
                        label={tester.test}
                        name={`${tester.test}: ${name}`}
                        text={tester.text}
                        bodyOf={() => ({ subject })}
                        button={{ size: 'compact-sm' }}
                        onDone={(delivery) => setTested({ subject, delivery })}
                      />
                    ) : null}
                  </Group>
                  {tested?.subject === subject ? <Deliveries deliveries={[tested.delivery]} /> : null}
                </div>
              );
            })}
          </Stack>
        )}
      </Shown>
    </Panel>
  );
}
