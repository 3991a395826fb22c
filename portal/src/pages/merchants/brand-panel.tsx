/**
 * The merchant's branding on the payment page, with a preview that follows each change. The form computes its colours with the
 * same function, so payers see the same.
 */
import { Button, ColorInput, FileInput, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Scheme, themeColours } from '../../../../gateway/contract/look/brand-theme.ts';
import type { Answer } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { useMerchantId } from '../../parts/page/merchant-head.tsx';
import { useWords } from '../../words/words.ts';

const BRAND = ['display_name', 'brand_color', 'logo', 'support_contact', 'terms_url', 'privacy_url'] as const;
type BrandName = (typeof BRAND)[number];
type Brand = Readonly<Record<BrandName, string>>;

const TEXTS = ['display_name', 'support_contact', 'terms_url', 'privacy_url'] as const;
const OUR_COLOUR = '#0b5c56';

interface BrandPanelProps {
  readonly version: string;
  readonly items: readonly Answer<'merchants.settings'>['items'][number][];
  /** The registered name. */
  readonly name: string;
}

export function BrandPanel({ version, items, name }: BrandPanelProps) {
  const { settings: words } = useWords();
  const merchantId = useMerchantId();
  const mayEdit = useMay()('merchants:write');
  const savedOf = (setting: BrandName) => items.find((item) => item.name === setting)?.value ?? '';
  const saved = Object.fromEntries(BRAND.map((setting) => [setting, savedOf(setting)])) as Record<BrandName, string>;
  const [brand, setBrand] = useState<Brand>(saved);
  const change = (part: Partial<Brand>) => setBrand((before) => ({ ...before, ...part }));
  const changed = BRAND.filter((setting) => brand[setting] !== saved[setting]);
  return (
    <Panel title={words.brand}>
      <Group align="flex-start" gap="xl">
        {mayEdit ? (
          <Stack gap="xs" className="brand-fields">
            {TEXTS.map((setting) => (
              <TextInput
                key={setting}
                size="xs"
                label={words.brandFields[setting]}
                value={brand[setting]}
                onChange={({ currentTarget }) => change({ [setting]: currentTarget.value })}
              />
            ))}
            <ColorInput
              size="xs"
              label={words.brandFields.brand_color}
              format="hex"
              withEyeDropper={false}
              value={brand.brand_color}
              onChange={(value) => change({ brand_color: value.toLowerCase() })}
            />
            <FileInput
              key={brand.logo === '' ? 'none' : 'some'}
              size="xs"
              label={words.brandFields.logo}
              description={words.logoHint}
              accept="image/png,image/svg+xml"
              onChange={async (file) => change({ logo: file === null ? '' : await readAsAddress(file) })}
            />
            {brand.logo === '' ? null : (
              <Button size="compact-xs" variant="subtle" onClick={() => change({ logo: '' })}>
                {words.removeLogo}
              </Button>
            )}
            <ActButton
              act="merchants.edit"
              params={{ merchantId }}
              ifMatch={version}
              label={words.saveBrand}
              text={words.brandText}
              obstacle={changed.length === 0 ? words.brandSame : null}
              bodyOf={() => ({
                settings: Object.fromEntries(changed.map((setting) => [setting, brand[setting] || null])),
              })}
              button={{ size: 'xs' }}
            />
          </Stack>
        ) : null}
        <SimpleGrid cols={2} spacing="sm">
          <BrandPreview brand={brand} name={name} scheme="light" />
          <BrandPreview brand={brand} name={name} scheme="dark" />
        </SimpleGrid>
      </Group>
    </Panel>
  );
}

const PANELS: Readonly<Record<Scheme, { readonly background: string; readonly color: string }>> = {
  light: { background: '#ffffff', color: '#17211f' },
  dark: { background: '#182120', color: '#edf2f0' },
};

function BrandPreview({ brand, name, scheme }: { brand: Brand; name: string; scheme: Scheme }) {
  const { settings: words } = useWords();
  const isColour = /^#[\da-f]{6}$/.test(brand.brand_color);
  const colours = themeColours(isColour ? brand.brand_color : OUR_COLOUR, scheme);
  const shown = brand.display_name || name;
  return (
    <figure className="brand-preview" style={PANELS[scheme]} aria-label={`${words.preview}: ${words.schemes[scheme]}`}>
      <div className="brand-head" style={{ background: colours.summary, color: colours['on-summary'] }}>
        {brand.logo === '' ? (
          <span className="brand-mark" style={{ background: colours['summary-mark'] }}>
            {[...shown.trim()][0]?.toUpperCase()}
          </span>
        ) : (
          <img className="brand-logo" src={brand.logo} alt="" />
        )}
        <strong>{shown}</strong>
        <span style={{ color: colours['on-summary-quiet'] }}>€89.99</span>
      </div>
      <div className="brand-body">
        <span className="brand-button" style={{ background: colours.accent, color: colours['on-accent'] }}>
          €89.99
        </span>
        <Text size="xs" span style={{ color: colours.accent }}>
          {brand.support_contact}
        </Text>
      </div>
    </figure>
  );
}

async function readAsAddress(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `data:${file.type};base64,${btoa(text)}`;
}
