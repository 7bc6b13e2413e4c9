import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import m from '../messages/en/secret.json'
import { layoutWords } from '../words'
import { CopyButton } from './copy-button'
import { download } from './download'
import { Icon } from './icons/icon'
import { Notice } from './notice'
import styles from './secret-once.module.css'
import stack from './stack.module.css'
import { useUnsaved } from './unsaved'

interface Props {
  title: string
  /** the kind of secret, such as "client secret" */
  label: string
  secret: string
  /** a file with the secret and its settings */
  file: { name: string; text: string }
  /** deletes the value */
  close: () => void
}

/**
 * A secret that is shown once. Esc and clicks outside of the dialog don't close it before the secret was copied, downloaded or
 * confirmed as saved. The masked secret is not in the document.
 */
export function SecretOnce({ title, label, secret, file, close }: Props) {
  const [shown, setShown] = useState(false)
  const [kept, setKept] = useState(false)
  useUnsaved(!kept, m.leave())
  return (
    <Modal
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
            aria-pressed={shown}
            leftSection={<Icon name={shown ? 'eyeOff' : 'eye'} size={16} />}
            onClick={() => setShown(!shown)}
          >
            {m.show()}
          </Button>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => {
              download(file)
              setKept(true)
            }}
          >
            {m.download()}
          </Button>
        </div>
        <Button
          fullWidth
          onClick={() => {
            setKept(true)
            // After the next render, so that leaving the page does not ask.
            setTimeout(close)
          }}
        >
          {kept ? layoutWords.done : m.stored()}
        </Button>
      </div>
    </Modal>
  )
}
