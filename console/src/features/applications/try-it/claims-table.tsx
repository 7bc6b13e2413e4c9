import m from '../../../messages/en/try-it.json'
import { exactTime } from '../../../ui/values/time'
import styles from './timeline.module.css'

const times = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at']

function valueText(name: string, value: unknown): string {
  if (times.includes(name) && typeof value === 'number')
    return `${value} (${exactTime(new Date(value * 1000).toISOString())})`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The claims of a token or a response, with their meaning. */
export function ClaimsTable({ claims }: { claims: Record<string, unknown> }) {
  return (
    <table className={styles.claims}>
      <thead>
        <tr>
          <th scope="col">{m.claimName()}</th>
          <th scope="col">{m.claimValue()}</th>
          <th scope="col">{m.claimMeaning()}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(claims).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className={styles.value}>{valueText(name, value)}</td>
            <td>{m.claim({ name })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
