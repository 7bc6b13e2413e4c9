import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asProblem } from '../../../api/problem'
import m from '../../../messages/en/sign-in-report.json'
import { announce } from '../../../ui/document/announcer'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { testQuery } from '../queries'
import { DraftSetup } from '../setup/draft-setup'
import { ReportNotFound } from './sign-in-page'
import { SignInReport, verdictOf } from './sign-in-report'
import { useTestSignIn } from './use-test-sign-in'

/** The report of a test, and the next step of the setup. */
export function TestPage() {
  const { team, me } = useCurrentTeam()
  const { id, enabled } = useCurrentProvider()
  const { run } = getRouteApi('/signed-in/t/$slug/sso/$id/tests/$run').useParams()
  const navigate = useNavigate()
  const report = useQuery(testQuery(team.id, id, run))
  const test = useTestSignIn()
  const verdict = report.data && verdictOf(report.data)

  useEffect(() => {
    if (verdict) announce(verdict)
  }, [verdict])

  if (report.isPending) return <RowsLoading rows={2} height={180} />
  if (report.isError && asProblem(report.error).status === 404) return <ReportNotFound />
  if (report.isError) return <LoadError error={report.error} retry={() => report.refetch()} />

  const works = report.data.outcome === 'would_sign_in'
  const mayWrite = me.permissions.includes('sso:write')
  const next = mayWrite && (
    <div className={stack.row}>
      <Button variant={works ? 'default' : 'filled'} loading={test.isPending} onClick={() => test.mutate()}>
        {m.again()}
      </Button>
      {works && !enabled && (
        <Button
          onClick={() =>
            navigate({ to: '/t/$slug/sso/$id', params: { slug: team.slug, id }, search: { step: 'enable' } })
          }
        >
          {m.continue()}
        </Button>
      )}
    </div>
  )
  const content = report.data.outcome ? (
    <SignInReport signIn={report.data} next={next} />
  ) : (
    <Panel title={m.title({ kind: 'test' })}>
      <div className={stack.fields}>
        <Notice kind="info" title={m.running()}>
          <p>{m.runningHelp()}</p>
        </Notice>
        {next}
      </div>
    </Panel>
  )
  return enabled || !mayWrite ? content : <DraftSetup current="test">{content}</DraftSetup>
}
