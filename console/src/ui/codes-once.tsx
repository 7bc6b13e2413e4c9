import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import m from '../messages/en/secret.json'
import { layoutWords } from '../words'
import styles from './codes-once.module.css'
import { CopyButton } from './copy-button'
import { download } from './download'
import { Icon } from './icons/icon'
import { Notice } from './notice'
import stack from './stack.module.css'
import { useUnsaved } from './unsaved'

interface Props {
  codes: string[]
  /** names the codes for the copy button */
  label: string
  /** the lines above them in the file and on paper */
  about: string[]
  fileName: string
  /** deletes the codes */
  done: () => void
}

/** Codes that are shown once. The user confirms that they are saved. */
export function CodesOnce({ codes, label, about, fileName, done }: Props) {
  const [kept, setKept] = useState(false)
  useUnsaved(!kept, m.leaveCodes())
  const text = `${[...about, '', ...codes].join('\n')}\n`
  const small = { variant: 'default', size: 'compact-md', mih: 32, fz: 'sm' } as const
  return (
    <div className={stack.fields}>
      <Notice kind="warning">
        <p>{m.codesOnce()}</p>
      </Notice>
      <div className={styles.sheet} data-print-this>
        <div className={styles.onPaper}>
          {about.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <ul className={styles.codes} aria-label={label}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className={stack.row}>
        <CopyButton label={label} value={codes.join('\n')} data-autofocus />
        <Button
          {...small}
          leftSection={<Icon name="download" size={16} />}
          onClick={() => download({ name: fileName, text })}
        >
          {m.downloadCodes()}
        </Button>
        <Button {...small} leftSection={<Icon name="printer" size={16} />} onClick={() => print()}>
          {m.print()}
        </Button>
      </div>
      <Checkbox
        label={m.codesStored()}
        checked={kept}
        onChange={(event) => setKept(event.target.checked)}
        iconColor="var(--mantine-primary-color-contrast)"
      />
      <Button fullWidth disabled={!kept} onClick={done}>
        {layoutWords.done}
      </Button>
    </div>
  )
}
