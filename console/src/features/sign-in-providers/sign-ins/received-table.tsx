import providers from '../../../messages/en/sign-in-providers.json'
import m from '../../../messages/en/sign-in-report.json'
import styles from '../../../ui/page/narrow-table.module.css'
import { useCurrentProvider } from '../current-provider'
import { fieldOf } from '../settings/attribute-names'

/** The attributes that a provider sent, with the fields that they fill. */
export function ReceivedTable({ received }: { received: Record<string, string> }) {
  const provider = useCurrentProvider()
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={m.received()}>
        <thead>
          <tr>
            <th scope="col">{m.attribute()}</th>
            <th scope="col">{m.value()}</th>
            <th scope="col">{m.field()}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(received).map(([attribute, value]) => {
            const field = fieldOf(provider, attribute)
            return (
              <tr key={attribute}>
                <th scope="row">{attribute}</th>
                <td className={styles.value}>{value}</td>
                <td>{field ? m.fieldTo({ field: providers.field({ field }) }) : ''}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
