/** The breadcrumbs above a page’s heading. */
import { Group, Text } from '@mantine/core';
import { PageLink } from '../links/page-link.tsx';
import type { PagePath } from '../links/paths.ts';

export function Crumbs({ to, title, name }: { to: PagePath; title: string; name: string }) {
  return (
    <Group gap={6} mih={24}>
      <PageLink to={to}>{title}</PageLink>
      <Text size="sm" className="muted" component="span">
        › {name}
      </Text>
    </Group>
  );
}
