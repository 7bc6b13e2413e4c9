import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { answerOf, member } from '../../../api/client'
import type { SsoProviderReport, SsoSignIn } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/sign-in-providers.json'
import report from '../../../messages/en/sign-in-report.json'
import { announce } from '../../../ui/document/announcer'
import { Icon } from '../../../ui/icons/icon'
import { type Check, CheckList, isProblem } from '../../../ui/layout/check-list'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { ofProvider, PROVIDER, signInsQuery } from '../queries'
import { verdictOf as resultOf } from './sign-in-report'
import { useTestSignIn } from './use-test-sign-in'

/** A test sign-in that creates no session, and the checks that need no sign-in. */
export function TestPanel({ title }: { title: string }) {
  const { team, me } = useCurrentTeam()
  const { id, name } = useCurrentProvider()
  const test = useTestSignIn()
  const last = useQuery(signInsQuery(team.id, id)).data?.find(({ kind }) => kind === 'test')
  const check = useWrite({
    act: async () => {
      const result = await answerOf(member.POST(`${PROVIDER}/test`, ofProvider(team.id, id)))
      announce(verdictOf(result))
      return result
    },
    refresh: [],
  })
  return (
    <Panel
      title={title}
      about={m.testHelp()}
      action={
        me.permissions.includes('sso:write') && (
          <div className={stack.row}>
            <Button
              leftSection={<Icon name="play" />}
              loading={test.isPending}
              h="auto"
              mih="var(--kw-button)"
              maw="100%"
              styles={{ label: { whiteSpace: 'normal', overflow: 'visible', overflowWrap: 'anywhere' } }}
              onClick={() => test.mutate()}
            >
              {m.testSignIn({ name })}
            </Button>
            <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
              {m.checkConfiguration()}
            </Button>
          </div>
        )
      }
    >
      {check.data && !check.isPending ? (
        <div className={stack.parts}>
          <Notice kind={check.data.success ? 'success' : 'warning'} title={verdictOf(check.data)} />
          <CheckList checks={check.data.checks.map(toCheck)} />
        </div>
      ) : (
        last && <LastTest test={last} />
      )}
    </Panel>
  )
}

function verdictOf({ success, checks }: SsoProviderReport) {
  return success
    ? m.configurationGood()
    : m.configurationBad({ count: checks.filter(({ status }) => status === 'failed').length })
}

const states: Record<string, Check['state']> = { ok: 'good', warning: 'attention', failed: 'failed' }

/** Checks whose detail is of interest although they passed. */
const DETAILED = /^(keys|clock|certificate)/

function toCheck({ id, status, detail, fix }: SsoProviderReport['checks'][number]): Check {
  const state = states[status] ?? 'open'
  const check = report.check({ id })
  return {
    state,
    title: isProblem(state) ? report.checkResult({ state: report.state({ status }), check }) : check,
    badge: state === 'open' && <StatusBadge tone="neutral">{report.state({ status })}</StatusBadge>,
    text: (
      <>
        {(state !== 'good' || DETAILED.test(id)) && <p>{detail}</p>}
        {fix && (
          <p>
            <strong>{fix}</strong>
          </p>
        )}
      </>
    ),
  }
}

function LastTest({ test }: { test: SsoSignIn }) {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const kind = test.outcome === undefined ? 'info' : test.outcome === 'refused' ? 'warning' : 'success'
  return (
    <Notice kind={kind} title={resultOf(test) ?? report.running()}>
      <p>
        {m.lastTest()} <RelativeTime at={test.createdAt} />
        {' · '}
        <Link to="/t/$slug/sso/$id/tests/$run" params={{ slug: team.slug, id, run: test.id }}>
          {m.viewReport()}
        </Link>
      </p>
    </Notice>
  )
}
