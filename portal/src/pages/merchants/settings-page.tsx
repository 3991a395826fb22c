/** A merchant's settings: profile, payout and form settings, branding and history. */
import { Stack } from '@mantine/core';
import { useReading } from '../../api/queries.ts';
import { Shown } from '../../parts/loading/shown.tsx';
import { MerchantHead, useMerchantId } from '../../parts/page/merchant-head.tsx';
import { useWords } from '../../words/words.ts';
import { BrandPanel } from './brand-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SettingsPanel, type SettingsPanelProps } from './settings-panel.tsx';

export default function SettingsPage() {
  const { settings: words } = useWords();
  const merchantId = useMerchantId();
  const settings = useReading('merchants.settings', { params: { merchantId } });
  return (
    <Stack>
      <MerchantHead title={words.title} />
      <Shown of={settings}>
        {({ version, items, repeated }) => (
          <>
            <ProfilePanel version={version} />
            <Brand version={version} items={items} />
            <SettingsPanel version={version} items={items} repeated={repeated} />
          </>
        )}
      </Shown>
      <HistoryPanel version={settings.data?.version ?? ''} />
    </Stack>
  );
}

/** Resets its fields with each saved version. */
function Brand({ version, items }: Pick<SettingsPanelProps, 'version' | 'items'>) {
  const merchantId = useMerchantId();
  const merchant = useReading('merchants.show', { params: { merchantId } });
  if (!merchant.data) return null;
  return <BrandPanel key={version} version={version} items={items} name={merchant.data.name} />;
}
