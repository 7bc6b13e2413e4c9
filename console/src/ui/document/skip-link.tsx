import common from '../../messages/en/common.json'
import styles from './skip-link.module.css'

/** The first stop of the Tab key: skips the header. */
export function SkipLink() {
  return (
    <a className={styles.link} href="#page">
      {common.skip()}
    </a>
  )
}
