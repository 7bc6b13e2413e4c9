import { Button } from '@mantine/core'
import common from '../../messages/en/common.json'
import m from '../../messages/en/form.json'
import { Icon } from '../icons/icon'
import stack from '../stack.module.css'

interface Props {
  busy: boolean
  dirty: boolean
  /** the form was saved and has not changed since */
  saved: boolean
}

/** Saves changes and confirms it. Without changes, the button is inactive but keeps the focus. */
export function SaveButton({ busy, dirty, saved }: Props) {
  return (
    <div className={stack.row}>
      <Button
        type="submit"
        loading={busy}
        aria-busy={busy || undefined}
        aria-disabled={!dirty || undefined}
        data-disabled={!dirty}
        onClick={(event) => {
          if (!dirty) event.preventDefault()
        }}
      >
        {common.save()}
      </Button>
      {saved && !dirty && (
        <span className={stack.row}>
          <Icon name="done" />
          {m.saved()}
        </span>
      )}
    </div>
  )
}
