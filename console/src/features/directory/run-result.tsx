import type { ReactNode } from 'react'
import type { DirectoryRun } from '../../api/contract'
import { Facts } from '../../design/facts'
import { Moment } from '../../design/moment'
import { Notice } from '../../design/notice'
import { Panel } from '../../design/panel'
import stack from '../../design/stack.module.css'
import { ldapRunWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { AfterRun } from './after-run'
import { RunBadge } from './run-badge'
import { outcomeOf } from './run-outcome'
import { startedByOf } from './started-by'

/** What a run that is over came to, with its numbers and what there is to do next. */
export function RunResult({ run }: { run: DirectoryRun }) {
  const { me } = useCurrentTeam()
  const { createdAt, finishedAt } = run
  return (
    <Panel title={words.name(run)} action={<RunBadge run={run} />}>
      <div className={stack.fields}>
        <Verdict run={run} />
        {me.permissions.includes('directory:write') && <AfterRun run={run} />}
        <Facts
          facts={[
            {
              name: words.began,
              value: (
                <>
                  <Moment at={createdAt} /> {startedByOf(run, me)}
                </>
              ),
            },
            ...(finishedAt
              ? [{ name: words.took, value: words.elapsed((Date.parse(finishedAt) - Date.parse(createdAt)) / 1000) }]
              : []),
            ...countsOf(run),
          ]}
        />
      </div>
    </Panel>
  )
}

/** Those of people always, the rest where there is something to say. */
const ALWAYS = new Set(['created', 'updated', 'unchanged', 'suspended'])

function countsOf(run: DirectoryRun): { name: string; value: ReactNode }[] {
  // Of a dry run it is not known who would be put into which group.
  const names: Record<string, string> = run.dryRun ? words.wouldBe : words.counts
  return Object.entries(names).flatMap(([key, name]) => {
    const count = run[key as keyof typeof words.counts]
    return count > 0 || ALWAYS.has(key) ? [{ name, value: words.number(count) }] : []
  })
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
