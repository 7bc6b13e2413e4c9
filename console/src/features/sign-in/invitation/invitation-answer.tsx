import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Invitation, SessionAnswer } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import { signOut } from '../../../api/sign-out'
import { INVITATION } from '../../../arrival'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/join-team.json'
import roles from '../../../messages/en/roles.json'
import { navigate } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { AccountRow, SwitchAccount } from '../../../ui/public/account-row'
import parts from '../../../ui/public/parts.module.css'
import { QuietButton } from '../../../ui/public/quiet-button'
import { relativeTime } from '../../../ui/values/time'
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
  const { team, email, role, inviter, expiresAt } = invitation
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

  const heading = m.title({ team: team.name })
  const lead = leadOf(inviter, roles.name({ role }))
  const expiry = m.expires({ time: relativeTime(expiresAt) })
  if (member === null && !known)
    return (
      <JoinWithPassword
        token={token}
        invitation={invitation}
        heading={heading}
        lead={lead}
        expiry={expiry}
        accepted={accepted}
        rejected={(problem) => (problem.code === 'account_exists' ? setKnown(true) : rejected(problem))}
        signIn={signIn}
      />
    )

  const isOther = member !== null && member !== email
  const cause = isOther ? m.otherAccount({ current: member, invited: email }) : member === null && m.known({ email })
  const error = cause && (
    <Notice kind="error">
      <p>{cause}</p>
    </Notice>
  )
  return (
    <AuthLayout
      heading={heading}
      team={team}
      lead={lead}
      message={problem ? <ProblemMessage problem={problem} /> : error}
    >
      <div className={stack.parts}>
        <AccountRow email={email} about={member === email ? m.signedIn({ expiry }) : expiry}>
          {member === email && (
            <SwitchAccount
              label={m.switch()}
              name={m.switchAccount()}
              disabled={busy}
              onClick={() => attempt(() => signOut(`/invitations/${token}`))}
            />
          )}
        </AccountRow>
        {member === email && (
          <Button fullWidth loading={busy} onClick={() => attempt(async () => accepted(await acceptInvitation(token)))}>
            {m.join({ team: team.name })}
          </Button>
        )}
        {isOther && (
          <Button fullWidth loading={busy} onClick={() => attempt(() => signOut(`/invitations/${token}`))}>
            {m.switchAccount()}
          </Button>
        )}
        {member === null && (
          <Button fullWidth onClick={signIn}>
            {m.signInAs()}
          </Button>
        )}
      </div>
      {isOther ? (
        <QuietButton onClick={() => navigate({ to: '/' })}>{common.home()}</QuietButton>
      ) : (
        <p className={parts.note}>{m.meaning()}</p>
      )}
    </AuthLayout>
  )
}

/** Names the sender: by name and email address, or as not verified. */
function leadOf({ name, email }: Invitation['inviter'], role: string): string {
  if (!email) return name ? m.lead({ inviter: m.inviterUnverified({ name }), role }) : m.leadUnverified({ role })
  return m.lead({ inviter: name ? m.inviterNamed({ name, email }) : email, role })
}
