import styles from '../../../ui/narrow-table.module.css'
import stack from '../../../ui/stack.module.css'
import type { SamlAttributesToSend } from '../../../words'

/** What a provider of SAML has to be told to send of people, in the fields of its vendor's console. */
export function AttributesToSend({ name, text, columns, rows }: SamlAttributesToSend) {
  return (
    <div className={stack.tight}>
      <p className={`${stack.dimmed} ${stack.small}`}>{text}</p>
      {columns && rows && (
        <div className={styles.frame}>
          <table className={styles.table} aria-label={name}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([left, right]) => (
                <tr key={left}>
                  <th scope="row">{left}</th>
                  <td>{right}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
