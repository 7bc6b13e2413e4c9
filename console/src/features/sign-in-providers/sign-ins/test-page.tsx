import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asProblem } from '../../../api/problem'
import { announce } from '../../../ui/announcer'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { LoadError } from '../../../ui/load-error'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { pageWords, ssoWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { testQuery } from '../queries'
import { SignInReport, verdictOf } from './sign-in-report'
import { useTestSignIn } from './use-test-sign-in'

/** Where a test sign-in ends: its report, and what comes next. */
export function TestPage() {
  const { team, me } = useCurrentTeam()
  const { id, enabled } = useCurrentProvider()
  const { run } = getRouteApi('/signed-in/t/$slug/sso/$id/tests/$run').useParams()
  const navigate = useNavigate()
  const report = useQuery(testQuery(team.id, id, run))
  const test = useTestSignIn()
  const verdict = report.data && verdictOf(report.data)
  const toOverview = () => navigate({ to: '/t/$slug/sso/$id', params: { slug: team.slug, id } })

  useEffect(() => {
    if (verdict) announce(verdict)
  }, [verdict])

  if (report.isPending) return <RowsLoading rows={2} height={180} />
  if (report.isError && asProblem(report.error).status === 404)
    return (
      <Panel
        title={pageWords.notFoundTitle}
        about={words.signInsAbout}
        action={<Button onClick={toOverview}>{words.tabs.overview}</Button>}
      />
    )
  if (report.isError) return <LoadError error={report.error} retry={() => report.refetch()} />

  const works = report.data.outcome === 'would_sign_in'
  const next = me.permissions.includes('sso:write') && (
    <>
      <div className={stack.row}>
        <Button variant={works ? 'default' : 'filled'} loading={test.busy} onClick={test.begin}>
          {words.again}
        </Button>
        {works && !enabled && <Button onClick={toOverview}>{words.turnOnNow}</Button>}
      </div>
      <ProblemMessage problem={test.problem} />
    </>
  )
  if (!report.data.outcome)
    return (
      <Panel title={words.reportTest}>
        <div className={stack.fields}>
          <Notice kind="info" title={words.underWay}>
            <p>{words.underWayText}</p>
          </Notice>
          {next}
        </div>
      </Panel>
    )
  return <SignInReport signIn={report.data} next={next} />
}
