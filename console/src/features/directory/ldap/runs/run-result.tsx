import type { DirectoryRun } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import { Notice } from '../../../../ui/layout/notice'
import stack from '../../../../ui/layout/stack.module.css'
import { Panel } from '../../../../ui/page/panel'
import { RelativeTime } from '../../../../ui/values/relative-time'
import { useCurrentTeam } from '../../../organizations/current-team'
import { AfterRun } from './after-run'
import { RunBadge } from './run-badge'
import { RunCounts } from './run-counts'
import { duration, runName } from './run-name'
import { outcomeOf } from './run-outcome'
import { startedByOf } from './started-by'

/** The result of a finished run, its totals and the next step. */
export function RunResult({ run }: { run: DirectoryRun }) {
  const { me } = useCurrentTeam()
  return (
    <Panel title={runName(run)} about={<Start run={run} />} action={<RunBadge run={run} />}>
      <div className={stack.fields}>
        <Verdict run={run} />
        {me.permissions.includes('directory:write') && <AfterRun run={run} />}
        <RunCounts run={run} />
      </div>
    </Panel>
  )
}

function Start({ run }: { run: DirectoryRun }) {
  const { me } = useCurrentTeam()
  const { createdAt, finishedAt } = run
  const seconds = finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(createdAt)) / 1000
  return (
    <>
      <RelativeTime at={createdAt} /> {startedByOf(run, me)}
      {seconds !== null && ` · ${m.took({ time: duration(seconds) })}`}
    </>
  )
}

/** The first sentence of a detail: the rest is for API clients. */
const firstSentence = (detail: string) => `${detail.split('. ')[0]?.replace(/\.$/, '')}.`

function Verdict({ run }: { run: DirectoryRun }) {
  const { failures: count, error, detail } = run
  const outcome = outcomeOf(run)
  const dryRun = String(run.dryRun)
  if (outcome === 'failed') {
    const code = error ?? ''
    return (
      <Notice kind="error" title={m.causeTitle({ code })}>
        <p>{m.causeFix({ code })}</p>
        {detail && <p className={stack.small}>{firstSentence(detail)}</p>}
      </Notice>
    )
  }
  if (outcome === 'cancelled') return <Notice kind="info" title={m.cancelled({ dryRun })} />
  if (outcome === 'problems')
    return <Notice kind="warning" title={run.dryRun ? m.problemsDry({ count }) : m.problems({ count })} />
  return <Notice kind="success" title={m.succeeded({ dryRun })} />
}
