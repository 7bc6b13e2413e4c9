import { layoutWords } from '../words'
import styles from './skip-link.module.css'

/** First stop of the Tab key: past the header, to the page. */
export function SkipLink() {
  return (
    <a className={styles.link} href="#page">
      {layoutWords.skip}
    </a>
  )
}
