import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { DirectoryRunSummary } from '../../../../api/contract'
import { useWrite } from '../../../../api/use-write'
import m from '../../../../messages/en/ldap-runs.json'
import { announce } from '../../../../ui/document/announcer'
import stack from '../../../../ui/layout/stack.module.css'
import { Panel } from '../../../../ui/page/panel'
import { useCurrentTeam } from '../../../organizations/current-team'
import { cancelRun, refreshAfterRun } from '../queries'
import { RunBadge } from './run-badge'
import { duration, runName } from './run-name'
import styles from './run-progress.module.css'
import { startedByOf } from './started-by'

interface Props {
  run: DirectoryRunSummary
  /** shows a link to the page of the run */
  isLinked?: boolean
}

/** A running sync: its phase, its progress and its cancellation. */
export function RunProgress({ run, isLinked = false }: Props) {
  const { team, me } = useCurrentTeam()
  const { id, phase, processed, total, createdAt, dryRun } = run
  const seconds = useSecondsSince(createdAt)
  // The total is that of the last run, which may be smaller.
  const isKnown = total > 0 && processed <= total
  const phaseName = m.phase({ phase })
  useEffect(() => announce(phaseName), [phaseName])
  return (
    <Panel
      title={runName(run)}
      about={`${phaseName} · ${duration(seconds)} · ${startedByOf(run, me)}`}
      action={<RunBadge run={run} />}
    >
      <div className={stack.fields}>
        <div className={stack.tight}>
          {isKnown && <progress className={styles.bar} max={total} value={processed} aria-label={m.progress()} />}
          <p>{isKnown ? m.progressOf({ processed, total }) : m.progressSoFar({ processed })}</p>
        </div>
        <p className={`${stack.dimmed} ${stack.small}`}>{m.leaveHelp()}</p>
        <div className={stack.row}>
          {me.permissions.includes('directory:write') && <Cancel teamId={team.id} id={id} dryRun={dryRun} />}
          {isLinked && (
            <Link to="/t/$slug/directory/ldap/runs/$run" params={{ slug: team.slug, run: id }}>
              {m.open()}
            </Link>
          )}
        </div>
      </div>
    </Panel>
  )
}

/** Returns the seconds since a timestamp, each second. @param timestamp ISO 8601 */
function useSecondsSince(timestamp: string) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (now - Date.parse(timestamp)) / 1000
}

function Cancel({ teamId, id, dryRun }: { teamId: string; id: string; dryRun: boolean }) {
  const cancel = useWrite({
    // The run may have ended before: its result is loaded in any case.
    act: () => cancelRun(teamId, id).finally(() => refreshAfterRun(teamId)),
    refresh: [],
  })
  return (
    <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
      {m.cancel({ dryRun: String(dryRun) })}
    </Button>
  )
}
