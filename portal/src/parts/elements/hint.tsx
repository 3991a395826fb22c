/** A tooltip for a control, while the control has the pointer or the focus. Screen readers read the control itself. */
import { type ReactNode, type SyntheticEvent, useState } from 'react';

const GAP = 8;

/** The distances from the edges of the window. */
type Place = Readonly<Partial<Record<'left' | 'right' | 'top' | 'bottom', number>>>;

export function Hint({ text, children }: { text: string | null | undefined; children: ReactNode }) {
  const [place, setPlace] = useState<Place | null>(null);
  const show = ({ currentTarget }: SyntheticEvent) => setPlace(placeBeside(currentTarget.getBoundingClientRect()));
  const hide = () => setPlace(null);
  if (!text) return children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the control inside is the interactive element
    <span onPointerEnter={show} onPointerLeave={hide} onFocus={show} onBlur={hide} onKeyDown={hide}>
      {children}
      {place ? (
        <span className="hint" style={place} aria-hidden>
          {text}
        </span>
      ) : null}
    </span>
  );
}

/** Places it on the side towards the middle of the window, where there is space. */
function placeBeside({ left, right, top, bottom }: DOMRect): Place {
  const { innerWidth, innerHeight } = window;
  return {
    ...(left + right < innerWidth ? { left } : { right: innerWidth - right }),
    ...(top + bottom < innerHeight ? { top: bottom + GAP } : { bottom: innerHeight - top + GAP }),
  };
}
