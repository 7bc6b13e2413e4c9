import { Button } from '@mantine/core'
import { useState } from 'react'
import { explain } from '../../../api/explain'
import { asProblem, type Problem } from '../../../api/problem'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/consent.json'
import { navigate } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import stack from '../../../ui/layout/stack.module.css'
import { Details } from '../../../ui/public/details'
import { errorDetails } from '../../../ui/public/error-details'

/** Errors that concern this account, not the request: another account may work, and the application can be notified. */
const ofTheAccount = ['application_access_denied', 'team_sign_in_required', 'wrong_user']

interface Props {
  problem: Problem
  /** the name of the application, if known */
  application: string | undefined
  email: string
  deny: () => Promise<void>
  switchAccount: () => Promise<void>
  retry: () => void
}

/** A sign-in that cannot continue: the cause and the remaining actions. */
export function SignInError({ problem, application = m.unnamed(), email, deny, switchAccount, retry }: Props) {
  const [busy, setBusy] = useState<'deny' | 'switch' | null>(null)
  const [failed, setFailed] = useState<Problem | null>(null)
  const { code, requestId } = problem
  const title = m.errorTitle({ code, application })
  const known = title !== ''

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

  const canDeny = ofTheAccount.includes(code)
  const details = !known && requestId ? errorDetails({ code, requestId }) : []
  return (
    <AuthLayout
      heading={title || m.failedTitle({ application })}
      lead={m.errorText({ code, application, email }) || explain(problem)}
      message={failed && <ProblemMessage problem={failed} />}
    >
      <div className={stack.fields}>
        {details.length > 0 && <Details details={details} />}
        {canDeny && (
          <>
            <Button fullWidth loading={busy === 'switch'} onClick={() => attempt('switch', switchAccount)}>
              {m.otherAccount()}
            </Button>
            {/* A session restricted to one team can't answer requests of another team. */}
            {code !== 'team_sign_in_required' && (
              <Button variant="default" fullWidth loading={busy === 'deny'} onClick={() => attempt('deny', deny)}>
                {m.returnTo({ application })}
              </Button>
            )}
          </>
        )}
        {!known && (
          <Button fullWidth onClick={retry}>
            {common.retry()}
          </Button>
        )}
        {!canDeny && (
          <Button variant={known ? 'filled' : 'default'} fullWidth onClick={() => navigate({ to: '/' })}>
            {common.home()}
          </Button>
        )}
      </div>
    </AuthLayout>
  )
}
