/** The breadcrumbs above a page’s heading. */
import { Group, Text } from '@mantine/core';
import { PageLink } from './page-link.tsx';

export function Crumbs({ to, title, name }: { to: string; title: string; name: string }) {
  return (
    <Group gap={6} mih={24}>
      <PageLink to={to}>{title}</PageLink>
      <Text size="sm" className="muted" component="span">
        › {name}
      </Text>
    </Group>
  );
}
