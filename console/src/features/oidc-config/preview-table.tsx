import type { PreviewEntry } from '../../api/contract'
import styles from '../../ui/narrow-table.module.css'
import stack from '../../ui/stack.module.css'
import { exactTime } from '../../ui/time'
import { tokenWords as words } from '../../words'

const times = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at']

function textOf(name: string, value: unknown): string {
  if (times.includes(name) && typeof value === 'number')
    return `${value} (${exactTime(new Date(value * 1000).toISOString())})`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What one token or answer would say, claim by claim, and where each comes from. */
export function PreviewTable({ label, entries }: { label: string; entries: PreviewEntry[] }) {
  if (entries.length === 0) return <p className={stack.dimmed}>{words.previewNothing}</p>
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{words.previewName}</th>
            <th scope="col">{words.previewValue}</th>
            <th scope="col">{words.previewSource}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ name, value, source, rule, before }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={styles.value}>
                {value === null ? <span className={stack.dimmed}>{words.previewLeftOut}</span> : textOf(name, value)}
              </td>
              <td>
                {words.source(source)}
                {rule && before !== undefined && before !== null && (
                  <span className={styles.before}>{words.previewBefore(rule.name, textOf('', before))}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
