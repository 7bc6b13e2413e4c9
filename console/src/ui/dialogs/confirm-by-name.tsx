import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { check, object, pipe, string } from 'valibot'
import common from '../../messages/en/common.json'
import { ProblemMessage } from '../form/problem-message'
import { useSchemaForm } from '../form/use-schema-form'
import stack from '../layout/stack.module.css'
import { Dialog } from './dialog'
import { DialogActions } from './dialog-actions'

interface Props {
  opened: boolean
  title: string
  /** the effects, line by line */
  consequences: string[]
  /** the name to type */
  name: string
  /** label of the red button */
  verb: string
  act: () => Promise<unknown>
  /** further choices */
  children?: ReactNode
  /** called after `act`, with the dialog still open */
  done: () => void
  close: () => void
}

/** Confirms an irreversible action: lists its effects and requires the name. The focus is on Cancel. */
export function ConfirmByName({ opened, ...question }: Props) {
  return (
    <Dialog opened={opened} onClose={question.close} title={question.title}>
      <Question {...question} />
    </Dialog>
  )
}

function Question({ title, consequences, name, verb, act, done, close, children }: Omit<Props, 'opened'>) {
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema: object({
      confirmation: pipe(
        string(),
        check((typed) => typed.trim() === name.trim(), common.typeExactly({ name })),
      ),
    }),
    initial: { confirmation: '' },
    send: act,
    done,
  })
  return (
    <form onSubmit={onSubmit} noValidate aria-label={title}>
      <div className={stack.fields}>
        <ul className={stack.bullets}>
          {consequences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {children}
        <ProblemMessage problem={problem} />
        <TextInput
          label={common.typeName({ name })}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('confirmation')}
        />
        <DialogActions verb={verb} close={close} busy={busy} isDangerous focus="close" />
      </div>
    </form>
  )
}
