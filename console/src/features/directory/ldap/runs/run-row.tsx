import { Link } from '@tanstack/react-router'
import type { DirectoryRunSummary } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import hidden from '../../../../ui/document/hidden.module.css'
import { Icon } from '../../../../ui/icons/icon'
import styles from '../../../../ui/page/item-row.module.css'
import { RelativeTime } from '../../../../ui/values/relative-time'
import { useCurrentTeam } from '../../../organizations/current-team'
import { RunBadge } from './run-badge'
import { runName } from './run-name'
import { startedByOf } from './started-by'

/** A list of runs with their outcomes and links. */
export function RunList({ runs }: { runs: DirectoryRunSummary[] }) {
  return (
    <ul className={styles.list}>
      {runs.map((run) => (
        <RunRow key={run.id} run={run} />
      ))}
    </ul>
  )
}

function RunRow({ run }: { run: DirectoryRunSummary }) {
  const { team, me } = useCurrentTeam()
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={run.dryRun ? 'eye' : 'download'} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          <Link to="/t/$slug/directory/ldap/runs/$run" params={{ slug: team.slug, run: run.id }}>
            {runName(run)}
            <span className={hidden.hidden}>
              {' '}
              <RelativeTime at={run.createdAt} />
            </span>
          </Link>
          <RunBadge run={run} />
        </p>
        <p className={styles.detail}>
          <span>
            <RelativeTime at={run.createdAt} /> {startedByOf(run, me)}
          </span>
          <span>{summaryOf(run)}</span>
        </p>
      </div>
    </li>
  )
}

function summaryOf(run: DirectoryRunSummary) {
  if (run.status === 'running') return m.phase({ phase: run.phase })
  if (run.error) return m.causeTitle({ code: run.error })
  return run.dryRun ? m.planSummary(run) : m.summary(run)
}
