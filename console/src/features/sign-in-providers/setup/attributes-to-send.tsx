import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import stack from '../../../ui/layout/stack.module.css'
import styles from '../../../ui/page/narrow-table.module.css'
import type { Vendor } from '../vendors'

/** The attributes that a SAML provider must send, as its vendor's console shows them. */
export function AttributesToSend({ vendor }: { vendor: Vendor }) {
  const columns = vendorMessages.attributeColumns({ vendor }).split('\n')
  const rows = vendorMessages.attributeRows({ vendor }).split('\n').filter(Boolean)
  return (
    <div className={stack.tight}>
      <p className={`${stack.dimmed} ${stack.small}`}>{vendorMessages.attributesHelp({ vendor })}</p>
      {rows.length > 0 && (
        <div className={styles.frame}>
          <table className={styles.table} aria-label={vendorMessages.attributes({ vendor })}>
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
              {rows.map((row) => {
                const [left = '', right = ''] = row.split(': ')
                return (
                  <tr key={left}>
                    <th scope="row">{left}</th>
                    <td>{right}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
