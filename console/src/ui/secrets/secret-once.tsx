import { Button } from '@mantine/core'
import { useState } from 'react'
import common from '../../messages/en/common.json'
import m from '../../messages/en/secret-once.json'
import { Dialog } from '../dialogs/dialog'
import { DialogActions } from '../dialogs/dialog-actions'
import { useUnsaved } from '../form/unsaved'
import { Icon } from '../icons/icon'
import { Notice } from '../layout/notice'
import stack from '../layout/stack.module.css'
import { CopyButton } from './copy-button'
import { download } from './download'
import styles from './secret-once.module.css'

interface Props {
  title: string
  /** names the value, such as "client secret" */
  label: string
  secret: string
  /** a file with the value and related settings */
  file: { name: string; text: string }
  /** called when the value is to be discarded */
  close: () => void
}

/**
 * A value that is shown once. Neither Escape nor a click outside closes the dialog before the value was copied, downloaded or confirmed as
 * saved. While masked, it is not in the document.
 */
export function SecretOnce({ title, label, secret, file, close }: Props) {
  const [shown, setShown] = useState(false)
  const [kept, setKept] = useState(false)
  useUnsaved(!kept, m.leave())
  return (
    <Dialog
      opened
      onClose={close}
      title={title}
      size="lg"
      closeOnEscape={kept}
      closeOnClickOutside={kept}
      withCloseButton={kept}
    >
      <div className={stack.fields}>
        <Notice kind="warning">
          <p>{m.once()}</p>
        </Notice>
        <p className={styles.value}>
          {shown ? (
            secret
          ) : (
            <span aria-label={m.masked({ label })} role="img">
              {'•'.repeat(32)}
            </span>
          )}
        </p>
        <div className={stack.row}>
          <CopyButton label={label} value={secret} copied={() => setKept(true)} data-autofocus />
          <Button
            variant="default"
            size="compact-md"
            leftSection={<Icon name={shown ? 'eyeOff' : 'eye'} />}
            onClick={() => setShown(!shown)}
          >
            {shown ? m.hide() : m.show()}
          </Button>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<Icon name="download" />}
            onClick={() => {
              download(file)
              setKept(true)
            }}
          >
            {m.download()}
          </Button>
        </div>
        <DialogActions
          verb={kept ? common.done() : m.stored()}
          act={() => {
            setKept(true)
            // After the page knows that nothing is unsaved, so that leaving asks no question.
            setTimeout(close)
          }}
        />
      </div>
    </Dialog>
  )
}
