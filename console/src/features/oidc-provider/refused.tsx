import { Button } from '@mantine/core'
import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { navigate } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { ProblemMessage } from '../../ui/form/problem-message'
import stack from '../../ui/stack.module.css'
import { explain, layoutWords, pageWords, consentWords as words } from '../../words'

/** Codes with words of their own; any other refusal is explained in general and may be tried again. */
type Known = keyof typeof words.refused

function isKnown(code: string): code is Known {
  return Object.hasOwn(words.refused, code)
}

/** Refusals that mean this account and not the request: another one may do, and the application can be told. */
const ofTheAccount = ['application_access_denied', 'team_sign_in_required', 'wrong_user']

interface Props {
  problem: Problem
  /** the application's name, as far as it is known */
  application: string | undefined
  email: string
  deny: () => Promise<void>
  switchAccount: () => Promise<void>
  retry: () => void
}

/** A sign-in that cannot go on: why, and the ways that are left. */
export function Refused({ problem, application = words.unnamed, email, deny, switchAccount, retry }: Props) {
  const [busy, setBusy] = useState<'deny' | 'switch' | null>(null)
  const [failed, setFailed] = useState<Problem | null>(null)
  const { code, requestId } = problem
  const known = isKnown(code)

  async function attempt(which: 'deny' | 'switch', work: () => Promise<void>) {
    setBusy(which)
    setFailed(null)
    try {
      await work()
    } catch (thrown) {
      setFailed(asProblem(thrown))
      setBusy(null)
    }
  }

  const mayBeTold = ofTheAccount.includes(code)
  const big = { h: 44, fz: 'md', fullWidth: true } as const
  return (
    <AuthLayout
      heading={known ? words.refused[code].title(application) : words.failedTitle(application)}
      lead={known ? words.refused[code].text(application, email) : explain(problem)}
    >
      <div className={stack.fields}>
        <ProblemMessage problem={failed} />
        {mayBeTold && (
          <>
            <Button {...big} loading={busy === 'switch'} onClick={() => attempt('switch', switchAccount)}>
              {words.another}
            </Button>
            {/* A session that one team controls answers nothing of another, not even no. */}
            {code !== 'team_sign_in_required' && (
              <Button {...big} variant="default" loading={busy === 'deny'} onClick={() => attempt('deny', deny)}>
                {words.backTo(application)}
              </Button>
            )}
          </>
        )}
        {!known && (
          <Button {...big} onClick={retry}>
            {layoutWords.retry}
          </Button>
        )}
        {!mayBeTold && (
          <Button {...big} variant="default" onClick={() => navigate({ to: '/' })}>
            {pageWords.home}
          </Button>
        )}
        {!known && requestId && <p className={`${stack.dimmed} ${stack.small}`}>{layoutWords.requestId(requestId)}</p>}
      </div>
    </AuthLayout>
  )
}
