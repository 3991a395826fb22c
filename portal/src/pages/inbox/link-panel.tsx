/** A panel of links to pending work, or a text if there is none. */
import { Panel } from '../../parts/elements/panel.tsx';
import { PageLink } from '../../parts/links/page-link.tsx';
import type { PagePath } from '../../parts/links/paths.ts';

interface LinkPanelProps {
  readonly title: string;
  readonly empty: string;
  readonly links: readonly { readonly to: PagePath; readonly text: string }[];
}

export const LinkPanel = ({ title, empty, links }: LinkPanelProps) => (
  <Panel title={title}>
    {links.length === 0 ? (
      <p className="small muted">{empty}</p>
    ) : (
      <div className="stack tight">
        {links.map(({ to, text }) => (
          <span key={to} className="small">
            <PageLink to={to}>{text}</PageLink>
          </span>
        ))}
      </div>
    )}
  </Panel>
);
