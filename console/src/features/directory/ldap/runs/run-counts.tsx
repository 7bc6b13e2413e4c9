import type { DirectoryRun } from '../../../../api/contract'
import { ldapRunWords as words } from '../../../../words'
import styles from './run-counts.module.css'

/** Those of people always, the rest where there is something to say. */
const ALWAYS = new Set(['created', 'updated', 'unchanged', 'suspended'])

/** What a run counted. */
export function RunCounts({ run }: { run: DirectoryRun }) {
  // Of a dry run it is not known who would be put into which group.
  const names: Record<string, string> = run.dryRun ? words.wouldBe : words.counts
  return (
    <dl className={styles.counts} aria-label={words.numbers}>
      {Object.entries(names).map(([key, name]) => {
        const count = run[key as keyof typeof words.counts]
        if (count === 0 && !ALWAYS.has(key)) return null
        return (
          <div key={key} className={styles.count}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.number} data-none={count === 0 || undefined}>
              {words.number(count)}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
