/** The heading of a page, which is also the title of its tab. `isPart` is true if the page already has a heading. */
import type { ReactNode } from 'react';

export const PageTitle = ({ children, isPart = false }: { children: ReactNode; isPart?: boolean }) =>
  isPart ? <h2 className="h5">{children}</h2> : <h1 className="h3">{children}</h1>;
