/** A part of a page with its heading. */
import type { ReactNode } from 'react';
import './elements.css';

export function Panel({ title, children, side }: { title: string; children: ReactNode; side?: ReactNode }) {
  return (
    <section className="card padded" aria-label={title}>
      <header className="row apart">
        <h2 className="h5">{title}</h2>
        {side}
      </header>
      {children}
    </section>
  );
}
