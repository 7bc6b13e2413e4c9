import type { ReactNode } from 'react'
import styles from './description-list.module.css'

/** Names and values in a drawer or card, close together. */
export function DescriptionList({ items }: { items: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.list}>
      {items.map(({ name, value }) => (
        <div key={name} className={styles.item}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
