import styles from '../../../ui/narrow-table.module.css'
import { ssoWords as words } from '../../../words'
import { useCurrentProvider } from '../current-provider'
import { fieldOf } from '../settings/attribute-names'

/** What a provider sent, each with the field that it fills. */
export function ReceivedTable({ received }: { received: Record<string, string> }) {
  const provider = useCurrentProvider()
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={words.received}>
        <thead>
          <tr>
            <th scope="col">{words.attribute}</th>
            <th scope="col">{words.value}</th>
            <th scope="col">{words.becomes}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(received).map(([attribute, value]) => {
            const field = fieldOf(provider, attribute)
            return (
              <tr key={attribute}>
                <th scope="row">{attribute}</th>
                <td className={styles.value}>{value}</td>
                <td>{field ? `→ ${words.field(field)}` : ''}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
