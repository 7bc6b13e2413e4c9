import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import m from '../../../messages/en/tokens.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import stack from '../../../ui/layout/stack.module.css'
import styles from './config-row.module.css'

interface Props {
  name: string
  /** whether the name is part of a token */
  code?: boolean
  /** beside the name */
  badges?: ReactNode
  /** under it, line by line */
  details?: ReactNode
  /** absent without the permission to change it */
  edit?: (() => void) | undefined
  /** absent if it can't be removed */
  remove?: { text: string; act: () => Promise<unknown> } | undefined
}

/** One scope, claim or rule in a list. */
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
            <Button {...small} aria-label={m.editLabel({ name })} onClick={edit}>
              {m.edit()}
            </Button>
          )}
          {remove && (
            <Button {...small} aria-label={m.removeLabel({ name })} onClick={() => setAsking(true)}>
              {m.remove()}
            </Button>
          )}
        </div>
      )}
      {remove && (
        <ConfirmDialog
          opened={asking}
          title={m.removeTitle({ name })}
          text={remove.text}
          verb={m.remove()}
          act={remove.act}
          close={() => setAsking(false)}
        />
      )}
    </li>
  )
}
