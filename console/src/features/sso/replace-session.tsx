import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SessionAnswer, SessionReplacement } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import m from '../../messages/en/sso-callback.json'
import { AuthLayout } from '../../ui/auth-layout'
import { ProblemMessage } from '../../ui/form/problem-message'
import stack from '../../ui/stack.module.css'
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
        <p>
          {m.current()} <strong>{m.userInTeam({ email: current.email, team: current.team.name })}</strong>
        </p>
        <p>
          {m.next()} <strong>{m.userInTeam({ email: next.email, team: next.team.name })}</strong>
        </p>
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
