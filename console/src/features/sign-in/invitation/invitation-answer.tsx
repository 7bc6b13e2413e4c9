import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Invitation, SessionAnswer } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import { signOut } from '../../../api/sign-out'
import { INVITATION } from '../../../arrival'
import m from '../../../messages/en/join-team.json'
import roles from '../../../messages/en/roles.json'
import { navigate } from '../../../navigation/router'
import { ApplicationLogo } from '../../../ui/application-logo'
import { AuthLayout } from '../../../ui/auth-layout'
import { Facts } from '../../../ui/facts'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { acceptInvitation } from '../calls'
import { rememberAddress } from '../typed-address'
import { JoinWithPassword } from './join-with-password'

interface Props {
  token: string
  invitation: Invitation
  /** the email address of the signed-in user */
  member: string | null
  rejected: (problem: Problem) => void
  accepted: (answer: SessionAnswer) => void
}

/** Shows the invitation and one way to accept it: join, switch accounts, sign in, or choose a password. */
export function InvitationAnswer({ token, invitation, member, rejected, accepted }: Props) {
  const { team, email, role, inviter, expiresAt, passwordPolicy } = invitation
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [known, setKnown] = useState(false)

  async function attempt(work: () => Promise<void>) {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (thrown) {
      const problem = asProblem(thrown)
      setProblem(problem)
      rejected(problem)
      setBusy(false)
    }
  }

  function signIn() {
    rememberAddress(email)
    navigate({ to: '/login', search: { returnTo: INVITATION } })
  }

  const button = (label: string, act: () => void) => (
    <Button fullWidth loading={busy} onClick={act}>
      {label}
    </Button>
  )
  return (
    <AuthLayout
      heading={m.title({ team: team.name })}
      emblem={<ApplicationLogo id={team.id} name={team.name} logoUrl={team.logoUrl} size={56} />}
      lead={m.lead({ inviter: inviterName(inviter), team: team.name })}
    >
      <div className={stack.fields}>
        <Facts
          facts={[
            { name: m.role(), value: roles.name({ role }) },
            { name: m.email(), value: email },
            { name: m.expires(), value: <RelativeTime at={expiresAt} /> },
          ]}
        />
        <p className={`${stack.dimmed} ${stack.small}`}>{m.meaning()}</p>
        <ProblemMessage problem={problem} />
        {member === email && (
          <>
            <p>
              {m.signedInAs()} <strong>{email}</strong>
            </p>
            {button(m.join(), () => attempt(async () => accepted(await acceptInvitation(token))))}
          </>
        )}
        {member !== null && member !== email && (
          <>
            <p role="alert">{m.otherAccount({ current: member, invited: email })}</p>
            {button(m.switchAccount(), () => attempt(() => signOut(`/invitations/${token}`)))}
          </>
        )}
        {member === null && known && (
          <>
            <p role="alert">{m.known({ email })}</p>
            {button(m.signInAs(), signIn)}
          </>
        )}
        {member === null && !known && (
          <JoinWithPassword
            token={token}
            email={email}
            policy={passwordPolicy}
            accepted={accepted}
            rejected={(problem) => (problem.code === 'account_exists' ? setKnown(true) : rejected(problem))}
            signIn={signIn}
          />
        )}
      </div>
    </AuthLayout>
  )
}

/** Names the sender: by name and email address, or as not verified. */
function inviterName({ name, email }: Invitation['inviter']): string {
  if (!email) return name ? m.inviterUnverified({ name }) : m.inviterUnknown()
  return name ? m.inviterNamed({ name, email }) : email
}
