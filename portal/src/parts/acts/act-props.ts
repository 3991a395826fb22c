/** The action of a button: its object, its inputs and its texts. */
import type { ReactNode } from 'react';
import type { EndpointName } from '../../../../gateway/contract/endpoints.ts';
import type { Answer, Call } from '../../api/client.ts';
import type { ButtonLook } from '../elements/elements.tsx';

/** A field of the dialog, by its name in the body. An empty optional field is omitted from the body. */
export interface ActField {
  readonly name: string;
  readonly label: string;
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  readonly placeholder?: string;
  readonly type?: 'password';
  /** The values that the field accepts. */
  readonly hint?: string;
  /** The values to choose from. If undefined, the field accepts any text. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly initial?: string;
}

export type FieldValues = Readonly<Record<string, string>>;

export interface ActButtonProps<Name extends EndpointName> {
  readonly act: Name;
  /** The object of the action. If undefined, the fields name it. */
  readonly params?: NonNullable<Call<Name>['params']>;
  readonly paramsOf?: (values: FieldValues) => NonNullable<Call<Name>['params']>;
  readonly query?: NonNullable<Call<Name>['query']>;
  readonly queryOf?: (values: FieldValues) => NonNullable<Call<Name>['query']>;
  readonly label: string;
  readonly text: string;
  readonly fields?: readonly ActField[];
  /** Inputs that are not text fields. `bodyOf` reads them from the form. */
  readonly extra?: ReactNode;
  /** Returns the request body. By default it contains the fields that are not empty. */
  readonly bodyOf?: (values: FieldValues, data: FormData) => NonNullable<Call<Name>['body']>;
  /** Further consequences of the request, shown below the preview. */
  readonly consequences?: (request: Call<Name>) => ReactNode;
  /** The version that the user has read. */
  readonly ifMatch?: string;
  readonly button?: ButtonLook & { readonly disabled?: boolean };
  /** The reason why the action is currently impossible. The disabled button shows it. */
  readonly obstacle?: string | null | undefined;
  /** The accessible name of the button, if its label is not unique. */
  readonly name?: string;
  readonly onDone?: (answer: Answer<Name>) => void;
}
