import { CopyButton } from './copy-button'
import styles from './copy-field.module.css'

interface Props {
  /** names the value for assistive technology */
  label: string
  value: string
}

/** A value to copy. */
export function CopyField({ label, value }: Props) {
  return (
    <div className={styles.field}>
      <code className={styles.value}>{value}</code>
      <CopyButton label={label} value={value} />
    </div>
  )
}
