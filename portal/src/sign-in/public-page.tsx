/**
 * The parts of the pages before sign-in. They use no component library, so that a visitor can sign in while the other pages
 * still load. Their colours and sizes are the theme’s.
 */
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useSignInWords } from '../words/words.ts';

export interface PublicPageProps {
  /** Shows a page to the user who has just signed in. */
  readonly enter: (path: string) => void;
}

export function PublicPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="public-page">
      <div>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

interface PublicFieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly hint?: string;
  /** Shown inside the field, next to the text. */
  readonly side?: ReactNode;
}

export function PublicField({ label, hint, side, ...input }: PublicFieldProps) {
  const id = useId();
  return (
    <div className="public-field">
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : <p id={`${id}-hint`}>{hint}</p>}
      <div>
        <input id={id} {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })} {...input} />
        {side}
      </div>
    </div>
  );
}

/** The eye icon shows the password to a user with a mouse. */
export function PasswordField(props: Omit<PublicFieldProps, 'type' | 'side'>) {
  const [isShown, setShown] = useState(false);
  const Eye = isShown ? IconEyeOff : IconEye;
  const eye = (
    <button type="button" tabIndex={-1} aria-hidden onClick={() => setShown(!isShown)}>
      <Eye size={18} stroke={1.6} />
    </button>
  );
  return <PublicField {...props} type={isShown ? 'text' : 'password'} side={eye} />;
}

interface PublicButtonProps extends ComponentProps<'button'> {
  readonly look?: 'filled' | 'outline' | 'quiet';
  /** True while the action of the button is in progress. */
  readonly isBusy?: boolean;
}

export function PublicButton({ look = 'filled', isBusy = false, children, ...button }: PublicButtonProps) {
  return (
    <button type="button" className="public-button" data-look={look} aria-disabled={isBusy} {...button}>
      {children}
    </button>
  );
}

export function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className="public-problem" role="alert">
      {text}
    </p>
  );
}

/** Offers a retry after something could not be loaded. */
export function Again() {
  const { failed, again } = useSignInWords();
  return (
    <>
      <Problem text={failed} />
      <PublicButton look="outline" onClick={() => window.location.reload()}>
        {again}
      </PublicButton>
    </>
  );
}

/** Calls `act` with a reader of the form’s fields. The page stays open. */
export function PublicForm({
  act,
  children,
}: {
  act: (field: (name: string) => string) => Promise<void>;
  children: ReactNode;
}) {
  return (
    <form
      className="public-form"
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
