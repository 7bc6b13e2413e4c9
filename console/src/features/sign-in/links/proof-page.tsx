import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import { signOut } from '../../../api/sign-out'
import { useSession } from '../../../api/use-session'
import { arrivedWith } from '../../../arrival'
import m from '../../../messages/en/links.json'
import { navigate } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { AccountRow } from '../../../ui/public/account-row'
import { SpentLink } from './spent-link'

interface ProofPageProps {
  path: '/verify-email' | '/confirm-email'
  title: string
  lead: string
  leadSignedOut: string
  submit: string
  doneTitle: string
  doneLead: string
  /** Sends the token. @throws Problem if the service rejects it */
  prove: (token: string) => Promise<unknown>
  /** the alternative for a user who is not signed in, or as another account than that of the link */
  otherwise?: (isOtherAccount: boolean) => ReactNode
}

/** The page of a link that verifies an email address. Only the account itself can use it. */
export function ProofPage(props: ProofPageProps) {
  const token = arrivedWith(props.path, 'token')
  const member = useSession()
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
      <AuthLayout glyph="check" glyphKind="ok" heading={props.doneTitle} lead={props.doneLead}>
        <Button fullWidth onClick={toAccount}>
          {m.toAccount()}
        </Button>
      </AuthLayout>
    )
  }
  const renewal = { renew: toAccount, renewLabel: m.toAccount() }
  if (!token) return <SpentLink title={m.missingTitle()} lead={m.missingLead()} mayBeValid {...renewal} />
  if (problem?.code === 'invalid_token')
    return <SpentLink title={m.invalidTitle()} lead={m.invalidProfileLead()} {...renewal} />

  const isWrongAccount = problem?.code === 'wrong_account' && member !== null
  const warning = isWrongAccount && (
    <Notice kind="error">
      <p>{m.wrongAccount({ email: member.user.email })}</p>
    </Notice>
  )
  return (
    <AuthLayout
      heading={props.title}
      lead={member ? props.lead : props.leadSignedOut}
      message={warning || (problem && <ProblemMessage problem={problem} />)}
    >
      <div className={stack.parts}>
        {member && !isWrongAccount && <AccountRow email={member.user.email} />}
        {isWrongAccount ? (
          <Button fullWidth loading={busy} onClick={() => attempt(signOut)}>
            {m.switchAccount()}
          </Button>
        ) : member ? (
          <Button fullWidth loading={busy} onClick={() => attempt(() => props.prove(token).then(() => setDone(true)))}>
            {props.submit}
          </Button>
        ) : (
          <Button fullWidth onClick={() => navigate({ to: '/login', search: { returnTo: props.path } })}>
            {m.signInToVerify()}
          </Button>
        )}
      </div>
      {(!member || isWrongAccount) && props.otherwise?.(isWrongAccount)}
    </AuthLayout>
  )
}
