import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { signOut } from '../../api/sign-out'
import { useSession } from '../../api/use-session'
import { arrivedWith } from '../../arrival'
import { AuthLayout } from '../../design/auth-layout'
import { ProblemMessage } from '../../design/form/problem-message'
import stack from '../../design/stack.module.css'
import { linkWords as words } from '../../words'
import { confirmNewAddress } from './calls'
import { SpentLink } from './spent-link'

/** Where the mail to a new address leads. Only the account that asked for it can use it. */
export function ConfirmEmailPage() {
  const token = arrivedWith('/confirm-email', 'token')
  const member = useSession()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const toAccount = () => navigate({ to: '/account' })

  async function attempt(work: () => Promise<unknown>) {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  if (done) {
    return (
      <AuthLayout heading={words.newAddressDoneTitle} lead={words.newAddressDoneLead}>
        <Button h={44} fz="md" fullWidth onClick={toAccount}>
          {words.toAccount}
        </Button>
      </AuthLayout>
    )
  }
  if (!token) return <SpentLink title={words.missingTitle} lead={words.missingLead} renew={toAccount} />
  if (problem?.code === 'invalid_token')
    return <SpentLink title={words.spentTitle} lead={words.spentLead} renew={toAccount} />

  const wrongAccount = problem?.code === 'wrong_account' && member
  return (
    <AuthLayout heading={words.newAddressTitle} lead={member ? words.newAddressLead : words.newAddressSignedOut}>
      <div className={stack.fields}>
        {member && !wrongAccount && (
          <p>
            {words.confirmAs} <strong>{member.user.email}</strong>
          </p>
        )}
        {wrongAccount ? (
          <p role="alert">{words.wrongAccount(member.user.email)}</p>
        ) : (
          <ProblemMessage problem={problem} />
        )}
        {wrongAccount ? (
          <Button h={44} fz="md" fullWidth loading={busy} onClick={() => attempt(signOut)}>
            {words.switchAccount}
          </Button>
        ) : member ? (
          <Button
            h={44}
            fz="md"
            fullWidth
            loading={busy}
            onClick={() => attempt(() => confirmNewAddress(token).then(() => setDone(true)))}
          >
            {words.newAddressSubmit}
          </Button>
        ) : (
          <Button
            h={44}
            fz="md"
            fullWidth
            onClick={() => navigate({ to: '/login', search: { returnTo: '/confirm-email' } })}
          >
            {words.confirmSignIn}
          </Button>
        )}
      </div>
    </AuthLayout>
  )
}
