import type { DirectoryRun } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import styles from './run-counts.module.css'

/** The counts in their order; of users always, the others if they are not zero. */
const USERS = ['created', 'updated', 'unchanged', 'suspended'] as const
const OTHERS = ['groupsCreated', 'groupsUpdated', 'membersAdded', 'membersRemoved', 'references', 'failures'] as const

/** The totals of a run. */
export function RunCounts({ run }: { run: DirectoryRun }) {
  const name = run.dryRun ? m.planCount : m.count
  // A dry run has no name for the members, which it does not compute.
  const shown = [...USERS, ...OTHERS.filter((field) => run[field] > 0 && name({ field }) !== '')]
  return (
    <dl className={styles.counts} aria-label={m.totals()}>
      {shown.map((field) => (
        <div key={field} className={styles.count}>
          <dt className={styles.name}>{name({ field })}</dt>
          <dd className={styles.number} data-zero={run[field] === 0 || undefined}>
            {m.number({ count: run[field] })}
          </dd>
        </div>
      ))}
    </dl>
  )
}
