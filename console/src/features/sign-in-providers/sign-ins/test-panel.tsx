import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SsoProviderReport } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import { announce } from '../../../ui/announcer'
import { type Check, CheckList } from '../../../ui/check-list'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { ssoReportWords as reportWords, ssoWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { checkProvider, signInsQuery } from '../queries'
import { OutcomeBadge } from './outcome-badge'
import { useTestSignIn } from './use-test-sign-in'

/** What can be seen without a sign-in, and a sign-in that opens nothing. */
export function TestPanel() {
  const { team, me } = useCurrentTeam()
  const { id, name } = useCurrentProvider()
  const [report, setReport] = useState<SsoProviderReport | null>(null)
  const [looking, setLooking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const test = useTestSignIn()

  async function look() {
    setLooking(true)
    setProblem(null)
    setReport(null)
    try {
      const found = await checkProvider(team.id, id)
      setReport(found)
      announce(verdictOf(found))
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setLooking(false)
    }
  }

  return (
    <Panel title={words.test} about={words.testAbout}>
      <div className={stack.fields}>
        <LastTest />
        {me.permissions.includes('sso:write') && (
          <div className={stack.row}>
            <Button
              leftSection={<Icon name="play" />}
              loading={test.busy}
              h="auto"
              styles={{ label: { whiteSpace: 'normal' } }}
              onClick={test.begin}
            >
              {words.tryIt(name)}
            </Button>
            <Button variant="default" loading={looking} onClick={look}>
              {words.look}
            </Button>
          </div>
        )}
        <p className={`${stack.dimmed} ${stack.small}`}>{words.tryAbout}</p>
        <ProblemMessage problem={test.problem ?? problem} />
        {report && (
          <>
            <Notice kind={report.success ? 'success' : 'warning'} title={verdictOf(report)} />
            <CheckList checks={report.checks.map(shownCheck)} />
          </>
        )}
      </div>
    </Panel>
  )
}

function verdictOf({ success, checks }: SsoProviderReport) {
  return success ? words.lookedGood : words.lookedBad(checks.filter(({ status }) => status === 'failed').length)
}

const states: Record<string, Check['state']> = { ok: 'good', warning: 'attention', failed: 'failed' }

/** Checks of which there is more to say than that they are right. */
const telling = /^(keys|clock|certificate)/

function shownCheck({ id, status, detail, fix }: SsoProviderReport['checks'][number]): Check {
  const state = states[status] ?? 'open'
  return {
    state,
    title: state === 'good' ? reportWords.check(id) : `${reportWords.stateOf(status)}: ${reportWords.check(id)}`,
    text: (
      <>
        {(state !== 'good' || telling.test(id)) && <p>{detail}</p>}
        {fix && (
          <p>
            <strong>{fix}</strong>
          </p>
        )}
      </>
    ),
  }
}

function LastTest() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const last = useQuery(signInsQuery(team.id, id)).data?.find(({ kind }) => kind === 'test')
  if (!last) return null
  return (
    <p className={stack.row}>
      <span>
        {words.lastTest}{' '}
        <Link to="/t/$slug/sso/$id/tests/$run" params={{ slug: team.slug, id, run: last.id }}>
          <RelativeTime at={last.createdAt} />
        </Link>
      </span>
      <OutcomeBadge outcome={last.outcome} />
    </p>
  )
}
