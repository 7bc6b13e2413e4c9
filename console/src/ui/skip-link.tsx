import common from '../messages/en/common.json'
import styles from './skip-link.module.css'

/** First stop of the Tab key: past the header, to the page. */
export function SkipLink() {
  return (
    <a className={styles.link} href="#page">
      {common.skip()}
    </a>
  )
}
