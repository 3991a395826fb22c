/**
 * A button that performs one act of the management API: it says what will happen, asks for the reason and, for a dangerous
 * act, for a second proof. One opening of the dialog is one act, however often its button is pressed.
 */
import {
  Alert,
  Button,
  type ButtonProps,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { EndpointName } from '../../../gateway/contract/endpoints.ts';
import type { Rehearsal } from '../../../gateway/contract/rehearsals.ts';
import { ApiError, Proposed } from '../api/api-error.ts';
import { type Answer, type Call, call, canRehearse, rehearse, stepUpOf } from '../api/client.ts';
import { makeAllStale } from '../api/queries.ts';
import { confirmByCode, confirmByPasskey } from '../api/step-up.ts';
import { newId } from '../browser.ts';
import { useWords } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { proposalPath } from './paths.ts';
import { RehearsalShown } from './rehearsal.tsx';

/** A field of the dialog, by its name in the body. An empty optional field is left out of the body. */
export interface ActField {
  readonly name: string;
  readonly label: string;
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  readonly placeholder?: string;
  readonly type?: 'password';
  /** The values that the field accepts, in words. */
  readonly hint?: string;
  /** The values to choose from; absent: any text. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly initial?: string;
}

type FieldValues = Readonly<Record<string, string>>;

interface ActButtonProps<Name extends EndpointName> {
  readonly act: Name;
  /** The object of the act; absent: the fields name it. */
  readonly params?: NonNullable<Call<Name>['params']>;
  readonly paramsOf?: (values: FieldValues) => NonNullable<Call<Name>['params']>;
  readonly query?: NonNullable<Call<Name>['query']>;
  readonly queryOf?: (values: FieldValues) => NonNullable<Call<Name>['query']>;
  readonly label: string;
  readonly text: string;
  readonly fields?: readonly ActField[];
  /** Inputs of another kind. `bodyOf` reads them from the form. */
  readonly extra?: ReactNode;
  /** The body of the act. By default: the fields that are not empty. */
  readonly bodyOf?: (values: FieldValues, data: FormData) => NonNullable<Call<Name>['body']>;
  /** Below the preview: further consequences of the request. */
  readonly consequences?: (request: Call<Name>) => ReactNode;
  /** The version that the person has read. */
  readonly ifMatch?: string;
  readonly button?: ButtonProps;
  /** Why the act is not possible now. The button is disabled, and says it. */
  readonly obstacle?: string | null | undefined;
  /** The button’s text for screen readers, where its label is not unique. */
  readonly name?: string;
  readonly onDone?: (answer: Answer<Name>) => void;
}

export function ActButton<Name extends EndpointName>(props: ActButtonProps<Name>) {
  const [key, setKey] = useState<string | null>(null);
  return (
    <>
      <Tooltip label={props.obstacle} disabled={!props.obstacle} events={{ hover: true, focus: true, touch: true }}>
        <Button
          variant="default"
          size="sm"
          {...props.button}
          aria-label={props.name}
          aria-description={props.obstacle ?? undefined}
          {...(props.obstacle ? { 'data-disabled': true } : {})}
          aria-disabled={props.obstacle ? true : undefined}
          onClick={() => (props.obstacle ? undefined : setKey(newId()))}
        >
          {props.label}
        </Button>
      </Tooltip>
      <Dialog isOpen={key !== null} close={() => setKey(null)} title={props.label} isWide={canRehearse(props.act)}>
        {key === null ? null : <ActForm {...props} idempotencyKey={key} close={() => setKey(null)} />}
      </Dialog>
    </>
  );
}

function ActForm<Name extends EndpointName>(
  props: ActButtonProps<Name> & { readonly idempotencyKey: string; readonly close: () => void },
) {
  const { act, text, fields = [], label, close } = props;
  const words = useWords();
  const stepUp = stepUpOf(act);
  const [code, setCode] = useState('');
  const { isBusy, message, submit, rehearsal, preview } = useAct(props);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const request = requestOf(props, event.currentTarget);
    void submit(request, stepUp === false || code === '' ? undefined : code);
  };
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  // A long form hides the preview below it.
  useEffect(() => {
    if (rehearsal !== null) shown.current?.scrollIntoView();
  }, [rehearsal]);
  return (
    <form onSubmit={send} ref={form}>
      <Stack>
        <Text size="sm">{text}</Text>
        <SimpleGrid cols={{ base: 1, sm: canRehearse(act) && fields.length > 3 ? 2 : 1 }}>
          {fields.map((field) => (
            <FieldInput key={field.name} field={field} />
          ))}
        </SimpleGrid>
        {props.extra}
        {stepUp === true || stepUp === 'strongest' ? (
          <TextInput
            label={words.code}
            description={words.codeHint}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value.trim())}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
          />
        ) : null}
        {message === null ? null : (
          <Alert color="red" variant="light" role="alert">
            {message}
          </Alert>
        )}
        {rehearsal === null ? null : (
          <div ref={shown}>
            <RehearsalShown rehearsal={rehearsal.of} />
          </div>
        )}
        {rehearsal === null || rehearsal.of.problem ? null : props.consequences?.(rehearsal.request)}
        <Group justify="flex-end">
          {canRehearse(act) ? (
            <Button
              variant="subtle"
              loading={isBusy}
              onClick={() => form.current?.reportValidity() && void preview(requestOf(props, form.current))}
            >
              {words.rehearsal.preview}
            </Button>
          ) : null}
          <Button variant="default" onClick={close}>
            {words.close}
          </Button>
          <Button type="submit" loading={isBusy}>
            {stepUp === false ? label : code === '' ? words.byPasskey : words.byCode}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function requestOf<Name extends EndpointName>(props: ActButtonProps<Name>, form: HTMLFormElement): Call<Name> {
  const { fields = [], bodyOf } = props;
  const data = new FormData(form);
  const values = valuesOf(fields, data);
  const request = {
    params: props.paramsOf?.(values) ?? props.params,
    query: props.queryOf?.(values) ?? props.query,
    body: bodyOf ? bodyOf(values, data) : fields.length === 0 ? undefined : givenOf(values),
  };
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as Call<Name>;
}

function FieldInput({ field }: { field: ActField }) {
  const { name, label, isRequired = false, isLong = false, placeholder, hint, options, initial = '', type } = field;
  const common = { name, label, required: isRequired, defaultValue: initial, description: hint };
  if (options) return <NativeSelect {...common} data={[...options]} />;
  return isLong ? (
    <Textarea {...common} placeholder={placeholder} autosize minRows={2} maxLength={500} />
  ) : (
    <TextInput {...common} placeholder={placeholder} {...(type ? { type, autoComplete: 'new-password' } : {})} />
  );
}

function valuesOf(fields: readonly ActField[], data: FormData): FieldValues {
  return Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()] as const));
}

function givenOf(values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function useAct<Name extends EndpointName>({
  act,
  label,
  ifMatch,
  idempotencyKey,
  close,
  onDone,
}: ActButtonProps<Name> & { readonly idempotencyKey: string; readonly close: () => void }) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const [rehearsal, setRehearsal] = useState<{ readonly of: Rehearsal; readonly request: Call<Name> } | null>(null);
  const version = ifMatch === undefined ? {} : { ifMatch };
  const perform = async (request: Call<Name>, code: string | undefined) => {
    const needsProof = stepUpOf(act) !== false;
    const proof =
      code === undefined ? await (needsProof ? confirmByPasskey(act, request) : undefined) : confirmByCode(code);
    const headers = {
      ...(proof === undefined ? {} : { stepUp: proof }),
      ...version,
    };
    const answer = await call(act, { ...request, ...headers, idempotencyKey });
    notifications.show({
      message: `${words.states['done']}: ${label}`,
      color: 'petrol',
      closeButtonProps: { 'aria-label': words.close },
    });
    onDone?.(answer);
    close();
  };
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setMessage(null);
    try {
      await work();
    } catch (error) {
      if (error instanceof Proposed) {
        // Notifications lie outside of the router.
        const link = <a href={proposalPath(error.proposalId)}>{words.proposals.show}</a>;
        notifications.show({ title: words.proposals.proposed, message: link, color: 'orange', autoClose: false });
        close();
      } else setMessage(messageOf(error, words));
    } finally {
      setBusy(false);
    }
  };
  const submit = (request: Call<Name>, code: string | undefined) =>
    attempt(() => perform(request, code)).finally(makeAllStale);
  const preview = (request: Call<Name>) =>
    attempt(async () => setRehearsal({ of: await rehearse(act, { ...request, ...version }), request }));
  return { isBusy, message, submit, rehearsal, preview };
}

function messageOf(error: unknown, words: { unknownOutcome: string; passkeyCancelled: string }): string {
  if (error instanceof ApiError) return error.problem?.detail ?? words.unknownOutcome;
  if (error instanceof DOMException) return words.passkeyCancelled;
  throw error;
}
