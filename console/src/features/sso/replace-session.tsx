import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SessionAnswer, SessionReplacement } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import m from '../../messages/en/sso-callback.json'
import { AuthLayout } from '../../ui/document/auth-layout'
import { ProblemMessage } from '../../ui/form/problem-message'
import stack from '../../ui/layout/stack.module.css'
import { AccountRow } from '../../ui/public/account-row'
import { acceptReplacement, rejectReplacement } from './session-replacement'

interface Props {
  replacement: SessionReplacement & { current: NonNullable<SessionReplacement['current']> }
  /** called with the new session, or null if the user keeps theirs */
  decided: (answer: SessionAnswer | null) => void
}

/** Any link can start a sign-in by a provider: one that would replace the session of another account or team finishes only by this page. */
export function ReplaceSession({ replacement: { current, next }, decided }: Props) {
  const [busy, setBusy] = useState<'keep' | 'replace' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function decide(choice: 'keep' | 'replace') {
    setBusy(choice)
    setProblem(null)
    try {
      if (choice === 'replace') return decided(await acceptReplacement())
      await rejectReplacement()
      decided(null)
    } catch (thrown) {
      setProblem(asProblem(thrown))
      setBusy(null)
    }
  }

  return (
    <AuthLayout
      heading={m.replaceTitle()}
      lead={m.replaceLead()}
      message={problem && <ProblemMessage problem={problem} />}
    >
      <div className={stack.fields}>
        <AccountRow email={current.email} about={m.current({ team: current.team.name })} />
        <AccountRow email={next.email} about={m.next({ team: next.team.name })} />
        <Button fullWidth loading={busy === 'keep'} disabled={busy === 'replace'} onClick={() => decide('keep')}>
          {m.keep()}
        </Button>
        <Button
          variant="default"
          fullWidth
          loading={busy === 'replace'}
          disabled={busy === 'keep'}
          onClick={() => decide('replace')}
        >
          {m.replace()}
        </Button>
      </div>
    </AuthLayout>
  )
}
