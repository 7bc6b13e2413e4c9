import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import common from '../../messages/en/common.json'
import m from '../../messages/en/secret-once.json'
import { DialogActions } from '../dialogs/dialog-actions'
import { useUnsaved } from '../form/unsaved'
import { Icon } from '../icons/icon'
import { Notice } from '../layout/notice'
import stack from '../layout/stack.module.css'
import styles from './codes-once.module.css'
import { CopyButton } from './copy-button'
import { download } from './download'

interface Props {
  codes: string[]
  /** names the codes, for the Copy button */
  label: string
  /** lines above the codes in the file and on paper */
  about: string[]
  fileName: string
  /** called when the codes are to be discarded */
  done: () => void
}

/** Codes that are shown once. They must be copied, downloaded or confirmed as saved. */
export function CodesOnce({ codes, label, about, fileName, done }: Props) {
  const [saved, setSaved] = useState(false)
  useUnsaved(!saved, m.leaveCodes())
  const text = `${[...about, '', ...codes].join('\n')}\n`
  const small = { variant: 'default', size: 'compact-md', fz: 'xs' } as const
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
        <CopyButton label={label} value={codes.join('\n')} copied={() => setSaved(true)} data-autofocus />
        <Button
          {...small}
          leftSection={<Icon name="download" />}
          onClick={() => {
            download({ name: fileName, text })
            setSaved(true)
          }}
        >
          {m.downloadCodes()}
        </Button>
        <Button {...small} leftSection={<Icon name="printer" />} onClick={() => print()}>
          {m.print()}
        </Button>
      </div>
      <Checkbox
        label={m.codesStored()}
        checked={saved}
        onChange={(event) => setSaved(event.target.checked)}
        iconColor="var(--mantine-primary-color-contrast)"
      />
      <DialogActions verb={common.done()} act={done} disabled={!saved} />
    </div>
  )
}
