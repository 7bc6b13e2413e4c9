import { Button } from '@mantine/core'
import common from '../../messages/en/common.json'
import styles from './save-bar.module.css'
import { useUnsaved } from './unsaved'

interface Props {
  /** number of unsaved changes; the bar is shown while there are any */
  changes: number
  busy: boolean
  /** absent inside a form, whose submit button this is then */
  save?: () => void
  discard: () => void
}

/** Stays visible at the end of the window while a page has unsaved changes, and asks before they are lost. */
export function SaveBar({ changes, busy, save, discard }: Props) {
  useUnsaved(changes > 0)
  if (changes === 0) return null
  return (
    <div className={styles.bar} data-bottom-bar>
      <span role="status">{common.changes({ count: changes })}</span>
      <Button variant="default" onClick={discard} disabled={busy}>
        {common.discard()}
      </Button>
      <Button type={save ? 'button' : 'submit'} onClick={save} loading={busy}>
        {common.save()}
      </Button>
    </div>
  )
}
