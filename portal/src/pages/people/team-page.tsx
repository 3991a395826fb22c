/** A team: its users with their roles, and its invitations. */
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Invitation } from '../../../../gateway/contract/endpoints/people.ts';
import type { Answer } from '../../api/client.ts';
import { useReading } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { ActButton } from '../../parts/acts/act-button.tsx';
import type { ActField } from '../../parts/acts/act-props.ts';
import { ShownOnce } from '../../parts/acts/shown-once.tsx';
import { Panel } from '../../parts/elements/panel.tsx';
import { type Column, Table } from '../../parts/elements/table.tsx';
import { Shown } from '../../parts/loading/shown.tsx';
import { MerchantHead, useMerchantId } from '../../parts/page/merchant-head.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useWords } from '../../words/words.ts';
import { isGivable, rolesOf } from './roles.ts';

type Member = Answer<'people.list'>['items'][number];
type NewLink = Pick<Answer<'invitations.create'>, 'link' | 'invitation'> & { readonly mailed: boolean };

const SMALL = { size: 'compact-xs' } as const;

/** Returns the team in the URL, or the user’s own team if the URL names no merchant. */
function useTeam() {
  const named = useMerchantId();
  const { merchantId: own, permissions } = useSession();
  const merchantId = named === '' ? null : named;
  return { merchantId, permissions, query: merchantId === own ? {} : { merchantId: named } };
}

export default function TeamPage() {
  const words = useWords();
  const { merchantId } = useTeam();
  const may = useMay();
  const [created, setCreated] = useState<NewLink | null>(null);
  return (
    <Stack>
      <MerchantHead title={words.team.title} side={may('people:write') ? <Invite onDone={setCreated} /> : null} />
      {created === null ? null : <NewLinkShown created={created} />}
      <People />
      <Invitations onApproved={setCreated} />
      <Panel title={words.team.roles}>
        <dl className="details">
          {rolesOf(merchantId).map(({ name, meaning }) => (
            <RoleMeaning key={name} name={name} meaning={meaning} />
          ))}
        </dl>
      </Panel>
    </Stack>
  );
}

function RoleMeaning({ name, meaning }: { name: string; meaning: string }) {
  const { team, roleNames } = useWords();
  return (
    <>
      <dt>{roleNames[name] ?? name}</dt>
      <dd>{team.roleMeanings[name] ?? meaning}</dd>
    </>
  );
}

function NewLinkShown({ created: { link, invitation, mailed } }: { created: NewLink }) {
  const { team } = useWords();
  return (
    <ShownOnce title={team.passOn(invitation.email ?? '')} secret={link}>
      <Text size="sm">
        {mailed ? `${team.mailed} ` : ''}
        {team.validUntil} <Moment at={invitation.expiresAt} />
      </Text>
    </ShownOnce>
  );
}

function useRoleField(initial: string): ActField {
  const { team, roleNames } = useWords();
  const { merchantId, permissions } = useTeam();
  const options = rolesOf(merchantId)
    .filter((role) => isGivable(role, permissions))
    .map(({ name }) => ({ value: name, label: roleNames[name] ?? name }));
  return { name: 'role', label: team.role, options, initial, isRequired: true };
}

function useReasonField(): ActField {
  const words = useWords();
  return { name: 'reason', label: words.reason, isRequired: true, isLong: true, placeholder: words.reasonHint };
}

function Invite({ onDone }: { onDone: (created: NewLink) => void }) {
  const { team } = useWords();
  const { query } = useTeam();
  const role = useRoleField('viewer');
  const reason = useReasonField();
  return (
    <ActButton
      act="invitations.create"
      params={{}}
      query={query}
      label={team.invite}
      text={team.inviteText}
      fields={[{ name: 'email', label: team.email, isRequired: true }, role, reason]}
      bodyOf={({ email = '', role: chosen = '', reason: why = '' }) => ({
        email,
        role: chosen as 'viewer',
        reason: why,
      })}
      onDone={onDone}
      button={{ look: 'filled' }}
    />
  );
}

function People() {
  const words = useWords();
  const may = useMay();
  const { query } = useTeam();
  const columns: readonly Column<Member>[] = [
    {
      label: words.team.person,
      cell: ({ name, email }) => (
        <>
          {name}
          <br />
          <span className="muted">{email}</span>
        </>
      ),
    },
    { label: words.team.role, cell: ({ role }) => words.roleNames[role] ?? role },
    { label: words.team.since, cell: ({ since }) => <Moment at={since} /> },
    { label: words.team.lastSeen, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
    ...(may('people:write')
      ? [{ label: words.team.acts, cell: (member: Member) => <MemberActs member={member} />, isEnd: true }]
      : []),
  ];
  return (
    <Panel title={words.team.people}>
      <Shown of={useReading('people.list', { query })}>
        {({ items }) => (
          <Table
            empty={words.team.nobody}
            label={words.team.people}
            columns={columns}
            items={items}
            keyOf={({ personId }) => personId}
          />
        )}
      </Shown>
    </Panel>
  );
}

function MemberActs({ member: { personId, name, role } }: { member: Member }) {
  const { team } = useWords();
  const { query, merchantId, permissions } = useTeam();
  const { person, merchantId: own } = useSession();
  const roleField = useRoleField(role);
  const reason = useReasonField();
  const current = rolesOf(merchantId).find((each) => each.name === role);
  const isSelf = person.personId === personId;
  if (isSelf || (current && !isGivable(current, permissions))) return null;
  const common = { params: { personId }, button: SMALL } as const;
  return (
    <Group gap={4} justify="flex-end">
      <ActButton
        {...common}
        act="people.setRole"
        query={query}
        label={team.changeRole}
        name={`${team.changeRole}: ${name}`}
        text={team.changeRoleText(name)}
        fields={[roleField, reason]}
        bodyOf={({ role: chosen = '', reason: why = '' }) => ({ role: chosen as 'viewer', reason: why })}
      />
      <ActButton
        {...common}
        act="people.endSessions"
        query={query}
        label={team.endSessions}
        name={`${team.endSessions}: ${name}`}
        text={team.endSessionsText(name)}
        fields={[reason]}
      />
      {own === null && merchantId === null ? (
        <ActButton
          {...common}
          act="people.reset"
          label={team.reset}
          name={`${team.reset}: ${name}`}
          text={team.resetText(name)}
          fields={[reason]}
        />
      ) : null}
      <ActButton
        {...common}
        act="people.remove"
        query={query}
        label={team.remove}
        name={`${team.remove}: ${name}`}
        text={team.removeText(name)}
        fields={[reason]}
      />
    </Group>
  );
}

function Invitations({ onApproved }: { onApproved: (created: NewLink) => void }) {
  const { team, roleNames } = useWords();
  const may = useMay();
  const { query } = useTeam();
  const columns: readonly Column<Invitation>[] = [
    { label: team.email, cell: ({ email }) => email ?? <span className="muted">{team.anybody}</span> },
    { label: team.purpose, cell: ({ purpose }) => team.purposes[purpose] },
    { label: team.role, cell: ({ role }) => (role === null ? null : (roleNames[role] ?? role)) },
    { label: team.validUntil, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    ...(may('people:write')
      ? [
          {
            label: team.acts,
            cell: (each: Invitation) => <InvitationActs invitation={each} onApproved={onApproved} />,
            isEnd: true,
          },
        ]
      : []),
  ];
  return (
    <Panel title={team.invitations}>
      <Shown of={useReading('invitations.list', { query })}>
        {({ items }) => (
          <Table
            empty={team.noInvitations}
            label={team.invitations}
            columns={columns}
            items={items}
            keyOf={(each) => each.invitationId}
          />
        )}
      </Shown>
    </Panel>
  );
}

function InvitationActs({
  invitation: { invitationId, purpose, email, approvedBy, invitedBy },
  onApproved,
}: {
  invitation: Invitation;
  onApproved: (created: NewLink) => void;
}) {
  const { team } = useWords();
  const { query } = useTeam();
  const { person } = useSession();
  const reason = useReasonField();
  const of = `: ${email ?? ''}`;
  const isForMe = invitedBy !== `person:${person.personId}`;
  return (
    <Group gap={4} justify="flex-end">
      {purpose === 'reset' && approvedBy === null && isForMe ? (
        <ActButton
          act="people.approveReset"
          params={{ invitationId }}
          label={team.approve}
          name={team.approve + of}
          text={team.approveText(email ?? '')}
          fields={[reason]}
          onDone={(answer) => onApproved({ ...answer, mailed: false })}
          button={SMALL}
        />
      ) : null}
      <ActButton
        act="invitations.revoke"
        params={{ invitationId }}
        query={query}
        label={team.revoke}
        name={team.revoke + of}
        text={team.revokeText}
        button={SMALL}
      />
    </Group>
  );
}
