/**
 * The parts of the pages before a session. They know no component library, so that a visitor can sign in while the other
 * pages are still being loaded. Their colours and sizes are the theme’s.
 */
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useDoorWords } from '../words/words.ts';

export interface DoorProps {
  /** Shows a page to the person who has just signed in. */
  readonly enter: (path: string) => void;
}

export function Doorway({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="doorway">
      <div>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

interface FieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly hint?: string;
  /** Beside the text, in the field. */
  readonly side?: ReactNode;
}

export function Field({ label, hint, side, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="door-field">
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : <p id={`${id}-hint`}>{hint}</p>}
      <div>
        <input id={id} {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })} {...input} />
        {side}
      </div>
    </div>
  );
}

/** The eye shows the password to a person with a mouse. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'side'>) {
  const [isShown, setShown] = useState(false);
  const Eye = isShown ? IconEyeOff : IconEye;
  const eye = (
    <button type="button" tabIndex={-1} aria-hidden onClick={() => setShown(!isShown)}>
      <Eye size={18} stroke={1.6} />
    </button>
  );
  return <Field {...props} type={isShown ? 'text' : 'password'} side={eye} />;
}

interface DoorButtonProps extends ComponentProps<'button'> {
  readonly look?: 'filled' | 'outline' | 'quiet';
  /** It was pressed, and works. */
  readonly isBusy?: boolean;
}

export function DoorButton({ look = 'filled', isBusy = false, children, ...button }: DoorButtonProps) {
  return (
    <button type="button" className="door-button" data-look={look} aria-disabled={isBusy} {...button}>
      {children}
    </button>
  );
}

export function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className="door-problem" role="alert">
      {text}
    </p>
  );
}

/** Something could not be loaded. */
export function Again() {
  const { failed, again } = useDoorWords();
  return (
    <>
      <Problem text={failed} />
      <DoorButton look="outline" onClick={() => window.location.reload()}>
        {again}
      </DoorButton>
    </>
  );
}

/** Calls `act` with a reader of the form’s fields. The page stays. */
export function DoorForm({
  act,
  children,
}: {
  act: (field: (name: string) => string) => Promise<void>;
  children: ReactNode;
}) {
  return (
    <form
      className="door-form"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        void act((name) => String(data.get(name) ?? ''));
      }}
    >
      {children}
    </form>
  );
}
