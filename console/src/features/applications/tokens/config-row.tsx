import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import stack from '../../../ui/stack.module.css'
import { tokenWords as words } from '../../../words'
import styles from './config-row.module.css'

interface Props {
  name: string
  /** false for a name that only people read */
  code?: boolean
  /** beside the name */
  badges?: ReactNode
  /** under it, line by line */
  details?: ReactNode
  /** left out for whoever may only look */
  edit?: (() => void) | undefined
  /** left out where it cannot be removed */
  remove?: { text: string; act: () => Promise<unknown> } | undefined
}

/** A scope, a claim or a rule in its list. */
export function ConfigRow({ name, code = true, badges, details, edit, remove }: Props) {
  const [asking, setAsking] = useState(false)
  const small = { variant: 'default', size: 'compact-md', mih: 32, fz: 'sm' } as const
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p className={styles.name}>
          {code ? <code>{name}</code> : name}
          {badges}
        </p>
        {details}
      </div>
      {(edit || remove) && (
        <div className={stack.row}>
          {edit && (
            <Button {...small} aria-label={words.editLabel(name)} onClick={edit}>
              {words.edit}
            </Button>
          )}
          {remove && (
            <Button {...small} aria-label={words.removeLabel(name)} onClick={() => setAsking(true)}>
              {words.remove}
            </Button>
          )}
        </div>
      )}
      {remove && (
        <ConfirmDialog
          opened={asking}
          title={words.removeTitle(name)}
          text={remove.text}
          verb={words.remove}
          act={remove.act}
          close={() => setAsking(false)}
        />
      )}
    </li>
  )
}
