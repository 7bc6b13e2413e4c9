import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { DirectoryRunSummary } from '../../../../api/contract'
import { asProblem, type Problem } from '../../../../api/problem'
import { announce } from '../../../../ui/announcer'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { Panel } from '../../../../ui/panel'
import stack from '../../../../ui/stack.module.css'
import { ldapRunWords as words } from '../../../../words'
import { useCurrentTeam } from '../../../organizations/current-team'
import { cancelRun, runEnded } from '../queries'
import { RunBadge } from './run-badge'
import styles from './run-progress.module.css'
import { startedByOf } from './started-by'

interface Props {
  run: DirectoryRunSummary
  /** with the way to its own page */
  isLinked?: boolean
}

/** A run that goes on: what it does, how far it is, and the way to stop it. */
export function RunProgress({ run, isLinked = false }: Props) {
  const { team, me } = useCurrentTeam()
  const { id, phase, processed, total, createdAt, dryRun } = run
  const seconds = useSecondsSince(createdAt)
  // What was counted the last time may be less than there is now.
  const isKnown = total > 0 && processed <= total
  useEffect(() => announce(words.phase(phase)), [phase])
  return (
    <Panel
      title={words.name(run)}
      about={`${words.phase(phase)} · ${words.elapsed(seconds)} · ${startedByOf(run, me)}`}
      action={<RunBadge run={run} />}
    >
      <div className={stack.fields}>
        <div className={stack.tight}>
          {isKnown && <progress className={styles.bar} max={total} value={processed} aria-label={words.progress} />}
          <p>{isKnown ? words.ofTotal(processed, total) : words.soFar(processed)}</p>
        </div>
        <p className={`${stack.dimmed} ${stack.small}`}>{words.leave}</p>
        <div className={stack.row}>
          {me.permissions.includes('directory:write') && <Cancel teamId={team.id} id={id} dryRun={dryRun} />}
          {isLinked && (
            <Link to="/t/$slug/directory/ldap/runs/$run" params={{ slug: team.slug, run: id }}>
              {words.open}
            </Link>
          )}
        </div>
      </div>
    </Panel>
  )
}

/** For what is counted while it is looked at. @param moment ISO 8601 */
function useSecondsSince(moment: string) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (now - Date.parse(moment)) / 1000
}

function Cancel({ teamId, id, dryRun }: { teamId: string; id: string; dryRun: boolean }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function cancel() {
    setBusy(true)
    setProblem(null)
    try {
      await cancelRun(teamId, id)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
      // Also where it was over before: the page shows how it ended.
      await runEnded(teamId)
    }
  }

  return (
    <>
      <Button variant="default" loading={busy} onClick={cancel}>
        {dryRun ? words.cancelDry : words.cancel}
      </Button>
      <ProblemMessage problem={problem} />
    </>
  )
}
