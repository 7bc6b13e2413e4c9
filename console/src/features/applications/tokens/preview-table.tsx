import type { PreviewEntry } from '../../../api/contract'
import m from '../../../messages/en/tokens.json'
import stack from '../../../ui/layout/stack.module.css'
import styles from '../../../ui/page/narrow-table.module.css'
import { exactTime } from '../../../ui/values/time'

const times = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at']

function textOf(name: string, value: unknown): string {
  if (times.includes(name) && typeof value === 'number')
    return `${value} (${exactTime(new Date(value * 1000).toISOString())})`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Names a source such as `scope:email` or `attribute:department`. */
function sourceText(source: string): string {
  const [kind = '', name = ''] = source.split(':')
  return m.source({ kind, name: name || source })
}

/** The claims of one token or response, with their sources. */
export function PreviewTable({ label, entries }: { label: string; entries: PreviewEntry[] }) {
  if (entries.length === 0) return <p className={stack.dimmed}>{m.previewNothing()}</p>
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{m.previewName()}</th>
            <th scope="col">{m.previewValue()}</th>
            <th scope="col">{m.previewSource()}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ name, value, source, rule, before }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={styles.value}>
                {value === null ? <span className={stack.dimmed}>{m.previewLeftOut()}</span> : textOf(name, value)}
              </td>
              <td>
                {sourceText(source)}
                {rule && before !== undefined && before !== null && (
                  <span className={styles.before}>
                    {m.previewBefore({ rule: rule.name, before: textOf('', before) })}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
