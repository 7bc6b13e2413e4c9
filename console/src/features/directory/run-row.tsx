import { Link } from '@tanstack/react-router'
import type { DirectoryRunSummary } from '../../api/contract'
import hidden from '../../design/hidden.module.css'
import { Icon } from '../../design/icons/icon'
import styles from '../../design/item-row.module.css'
import { Moment } from '../../design/moment'
import { ldapRunWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { RunBadge } from './run-badge'
import { startedByOf } from './started-by'

/** Runs, each with what it came to and the way to its page. */
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
            {words.name(run)}
            <span className={hidden.hidden}>
              {' '}
              <Moment at={run.createdAt} />
            </span>
          </Link>
          <RunBadge run={run} />
        </p>
        <p className={styles.detail}>
          <span>
            <Moment at={run.createdAt} /> {startedByOf(run, me)}
          </span>
          <span>{summaryOf(run)}</span>
        </p>
      </div>
    </li>
  )
}

function summaryOf(run: DirectoryRunSummary) {
  if (run.status === 'running') return words.phase(run.phase)
  if (run.error) return words.cause(run.error).title
  return run.dryRun ? words.wouldShort(run) : words.shortLong(run)
}
