import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { confirmSignOut, signOut } from '../../api/sign-out'
import { boot } from '../../boot'
import { navigate, useSearch } from '../../navigation/router'
import { ApplicationLogo } from '../../ui/application-logo'
import { AuthLayout } from '../../ui/auth-layout'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Notice } from '../../ui/notice'
import { Splash } from '../../ui/splash'
import stack from '../../ui/stack.module.css'
import { signOutWords as words } from '../../words'
import { LoggedOutPage } from './logged-out-page'
import { logoutRequestQuery } from './queries'

const logoutSearch = ({ resume }: Record<string, unknown>): { resume?: string | undefined } =>
  resume === undefined ? {} : { resume: String(resume) }

/** Asks before it ends a session: any page of the web can lead a browser here. */
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
      // An address of an app opens that app, and this page stays.
      if (back && !/^https?:/.test(back)) setDone(true)
    } catch (thrown) {
      const refusal = asProblem(thrown)
      // It waited too long, or another tab was faster: the page says so, and offers to sign out all the same.
      if (refusal.code === 'logout_not_found') await request.refetch()
      else setProblem(refusal)
      setBusy(false)
    }
  }

  if (done) return <LoggedOutPage />
  if (request.isLoading) return <Splash />
  return (
    <AuthLayout
      heading={words.title(boot.instance.name)}
      emblem={asker && <ApplicationLogo id={asker.id} name={asker.name} logoUrl={asker.logoUrl} size={48} />}
      lead={asker ? words.asked(asker.name) : words.lead}
    >
      <div className={stack.fields}>
        {over && (
          <Notice kind="info">
            <p>{words.over}</p>
          </Notice>
        )}
        <ProblemMessage problem={problem ?? (over ? null : unread)} />
        <Button fullWidth loading={busy} onClick={leave}>
          {words.submit}
        </Button>
        <Button variant="default" fullWidth onClick={() => navigate({ to: '/' })}>
          {words.stay}
        </Button>
      </div>
    </AuthLayout>
  )
}
