import { Button } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import type { Problem } from '../../api/problem'
import common from '../../messages/en/common.json'
import stack from '../stack.module.css'
import { ProblemMessage } from './problem-message'

interface Props {
  /** names the form with the title of its dialog */
  label: string
  /** from `useForm` */
  form: ComponentProps<'form'>
  busy: boolean
  problem: Problem | null
  verb: string
  close: () => void
  children: ReactNode
}

/** The content of a dialog with a form: fields, error, Cancel and the submit button. */
export function DialogForm({ label, form, busy, problem, verb, close, children }: Props) {
  return (
    <form {...form} aria-label={label}>
      <div className={stack.fields}>
        {children}
        <ProblemMessage problem={problem} />
        <div className={`${stack.row} ${stack.end}`}>
          <Button variant="default" onClick={close}>
            {common.cancel()}
          </Button>
          <Button type="submit" loading={busy} aria-busy={busy || undefined}>
            {verb}
          </Button>
        </div>
      </div>
    </form>
  )
}
