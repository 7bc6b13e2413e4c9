import type { Column } from './column'
import styles from './data-table.module.css'

/** Widths of the placeholders in percent, so that rows differ. */
const PREVIEWED = [
  [62, 48, 70, 40],
  [44, 66, 52, 58],
  [54, 40, 60, 46],
]

/** Shows the columns of an empty list with placeholders. */
export function EmptyPreview({ columns }: { columns: readonly Column<unknown>[] }) {
  return (
    <table className={styles.table} data-preview aria-hidden="true">
      <thead>
        <tr>
          {columns.map(({ id, header, width }) => (
            <th key={id} style={{ width }}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {PREVIEWED.map((widths) => (
          <tr key={widths.join()}>
            {columns.map(({ id }, index) => (
              <td key={id}>
                <span className={styles.placeholder} style={{ width: `${widths[index % widths.length]}%` }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
