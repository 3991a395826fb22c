/**
 * The elements of the first page, and of the parts that it shares with other pages. They look like the Mantine components of
 * the same name, whose code and styles load after the first page.
 */
import type { ComponentProps, ReactNode } from 'react';
import './elements.css';

/** The buttons’ heights. */
type Size = 'compact-xs' | 'compact-sm' | 'xs' | 'sm' | 'md';

export interface ButtonLook {
  readonly look?: 'default' | 'filled' | 'subtle';
  readonly size?: Size;
  readonly isWide?: boolean;
}

export function Button({ look = 'default', size = 'sm', isWide, ...rest }: ComponentProps<'button'> & ButtonLook) {
  return <button type="button" className="button" data-look={look} data-size={size} data-wide={isWide} {...rest} />;
}

/** A button that contains only an icon. */
export const IconButton = (props: ComponentProps<'button'>) => (
  <button type="button" className="icon-button" {...props} />
);

export const Card = ({ children }: { children: ReactNode }) => <div className="card">{children}</div>;

/** A message on a coloured background. */
export function Notice({ color, title, children, role }: NoticeProps) {
  return (
    <div className="notice" data-color={color} role={role}>
      {title}
      {children ? <div>{children}</div> : null}
    </div>
  );
}

interface NoticeProps {
  readonly color: 'red' | 'orange';
  readonly title?: ReactNode;
  readonly role: 'alert' | 'status';
  readonly children?: ReactNode;
}
