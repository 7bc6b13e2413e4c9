import type { DirectoryRun } from '../../../../api/contract'
import { Notice } from '../../../../ui/notice'
import { Panel } from '../../../../ui/panel'
import { RelativeTime } from '../../../../ui/relative-time'
import stack from '../../../../ui/stack.module.css'
import { ldapRunWords as words } from '../../../../words'
import { useCurrentTeam } from '../../../organizations/current-team'
import { AfterRun } from './after-run'
import { RunBadge } from './run-badge'
import { RunCounts } from './run-counts'
import { outcomeOf } from './run-outcome'
import { startedByOf } from './started-by'

/** What a run that is over came to, with its numbers and what there is to do next. */
export function RunResult({ run }: { run: DirectoryRun }) {
  const { me } = useCurrentTeam()
  return (
    <Panel title={words.name(run)} about={<Began run={run} />} action={<RunBadge run={run} />}>
      <div className={stack.fields}>
        <Verdict run={run} />
        {me.permissions.includes('directory:write') && <AfterRun run={run} />}
        <RunCounts run={run} />
      </div>
    </Panel>
  )
}

function Began({ run }: { run: DirectoryRun }) {
  const { me } = useCurrentTeam()
  const { createdAt, finishedAt } = run
  const seconds = finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(createdAt)) / 1000
  return (
    <>
      <RelativeTime at={createdAt} /> {startedByOf(run, me)}
      {seconds !== null && ` · ${words.took(words.elapsed(seconds))}`}
    </>
  )
}

function Verdict({ run }: { run: DirectoryRun }) {
  const { dryRun, failures, error, detail } = run
  const outcome = outcomeOf(run)
  if (outcome === 'failed') {
    const { title, fix } = words.cause(error ?? '')
    return (
      <Notice kind="error" title={title}>
        <p>{fix}</p>
        {detail && <p className={stack.small}>{words.inDetail(detail)}</p>}
      </Notice>
    )
  }
  if (outcome === 'cancelled') return <Notice kind="info" title={dryRun ? words.cancelledDry : words.cancelled} />
  if (outcome === 'problems')
    return <Notice kind="warning" title={dryRun ? words.problemsDry(failures) : words.problems(failures)} />
  return <Notice kind="success" title={dryRun ? words.succeededDry : words.succeeded} />
}
