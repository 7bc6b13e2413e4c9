import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Invitation, SessionAnswer } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import { signOut } from '../../api/sign-out'
import { INVITATION } from '../../arrival'
import { navigate } from '../../navigation/router'
import { ApplicationLogo } from '../../ui/application-logo'
import { AuthLayout } from '../../ui/auth-layout'
import { Facts } from '../../ui/facts'
import { ProblemMessage } from '../../ui/form/problem-message'
import { RelativeTime } from '../../ui/relative-time'
import stack from '../../ui/stack.module.css'
import { roleName, invitationWords as words } from '../../words'
import { acceptInvitation } from './calls'
import { JoinWithPassword } from './join-with-password'
import { rememberAddress } from './typed-address'

interface Props {
  token: string
  invitation: Invitation
  /** the address of whoever is signed in */
  member: string | null
  refused: (problem: Problem) => void
  accepted: (answer: SessionAnswer) => void
}

/** What is accepted, and the one way to do it: join, switch accounts, sign in, or choose a password. */
export function InvitationAnswer({ token, invitation, member, refused, accepted }: Props) {
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
      refused(problem)
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
      heading={words.title(team.name)}
      emblem={<ApplicationLogo id={team.id} name={team.name} logoUrl={team.logoUrl} size={56} />}
      lead={words.lead(words.inviter(inviter), team.name)}
    >
      <div className={stack.fields}>
        <Facts
          facts={[
            { name: words.role, value: roleName(role) },
            { name: words.address, value: email },
            { name: words.until, value: <RelativeTime at={expiresAt} /> },
          ]}
        />
        <p className={`${stack.dimmed} ${stack.small}`}>{words.meaning}</p>
        <ProblemMessage problem={problem} />
        {member === email && (
          <>
            <p>
              {words.as} <strong>{email}</strong>
            </p>
            {button(words.join, () => attempt(async () => accepted(await acceptInvitation(token))))}
          </>
        )}
        {member !== null && member !== email && (
          <>
            <p role="alert">{words.other(member, email)}</p>
            {button(words.switch, () => attempt(() => signOut(`/invitations/${token}`)))}
          </>
        )}
        {member === null && known && (
          <>
            <p role="alert">{words.known(email)}</p>
            {button(words.signInAs, signIn)}
          </>
        )}
        {member === null && !known && (
          <JoinWithPassword
            token={token}
            email={email}
            policy={passwordPolicy}
            accepted={accepted}
            refused={(problem) => (problem.code === 'account_exists' ? setKnown(true) : refused(problem))}
            signIn={signIn}
          />
        )}
      </div>
    </AuthLayout>
  )
}
