import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import { confirmSignOut, signOut } from '../../../api/sign-out'
import { boot } from '../../../boot'
import m from '../../../messages/en/sign-out.json'
import { navigate, useSearch } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { Splash } from '../../../ui/document/splash'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/layout/notice'
import { QuietButton } from '../../../ui/public/quiet-button'
import { logoutRequestQuery } from '../../account/sessions/queries'
import { RequestLogos } from '../consent/request-logos'
import { LoggedOutPage } from './logged-out-page'

const logoutSearch = ({ resume }: Record<string, unknown>): { resume?: string | undefined } =>
  resume === undefined ? {} : { resume: String(resume) }

/** Confirms a sign-out, because any site can send a browser here. */
export function LogoutPage() {
  const { resume } = useSearch(logoutSearch)
  const request = useQuery({ ...logoutRequestQuery(resume ?? ''), enabled: resume !== undefined })
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const asker = request.data?.application
  const unread = request.isError ? asProblem(request.error) : null
  const over = unread?.status === 404
  const asked = request.isSuccess

  async function leave() {
    setBusy(true)
    setProblem(null)
    try {
      const back = resume !== undefined && asked ? await confirmSignOut(resume) : await signOut()
      // A URL with the scheme of an app opens that app; this page stays.
      if (back && !/^https?:/.test(back)) setDone(true)
    } catch (thrown) {
      const rejection = asProblem(thrown)
      // The request has expired or another tab has answered it: the page reports it, and still offers to sign out.
      if (rejection.code === 'logout_not_found') await request.refetch()
      else setProblem(rejection)
      setBusy(false)
    }
  }

  if (done) return <LoggedOutPage />
  if (request.isLoading) return <Splash />
  return (
    <AuthLayout
      heading={m.title({ instance: boot.instance.name })}
      emblem={asker && <RequestLogos application={asker} />}
      lead={asker ? m.requestedBy({ application: asker.name }) : m.lead()}
      message={
        problem || (unread && !over) ? (
          <ProblemMessage problem={problem ?? unread} />
        ) : (
          over && (
            <Notice kind="info">
              <p>{m.expired()}</p>
            </Notice>
          )
        )
      }
    >
      <Button fullWidth loading={busy} onClick={leave}>
        {m.submit()}
      </Button>
      <QuietButton onClick={() => navigate({ to: '/' })}>{m.stay()}</QuietButton>
    </AuthLayout>
  )
}
