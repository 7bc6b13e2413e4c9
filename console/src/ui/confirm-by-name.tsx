import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import common from '../messages/en/common.json'
import { Field } from './form/field'
import { ProblemMessage } from './form/problem-message'
import { useForm } from './form/use-form'
import stack from './stack.module.css'

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
    <Modal opened={opened} onClose={question.close} title={question.title}>
      <Question {...question} />
    </Modal>
  )
}

function Question({ title, consequences, name, verb, act, done, close, children }: Omit<Props, 'opened'>) {
  const { form, errors, problem, busy } = useForm({
    names: ['confirmation'],
    check: ({ confirmation }) =>
      confirmation.trim() === name.trim() ? {} : { confirmation: common.typeExactly({ name }) },
    send: async () => {
      await act()
    },
    saved: done,
  })
  return (
    <form {...form} aria-label={title}>
      <div className={stack.fields}>
        <ul className={stack.bullets}>
          {consequences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {children}
        <ProblemMessage problem={problem} />
        <Field
          name="confirmation"
          label={common.typeName({ name })}
          autoComplete="off"
          spellCheck={false}
          error={errors.confirmation}
        />
        <div className={`${stack.row} ${stack.end}`}>
          <Button variant="default" data-autofocus onClick={close}>
            {common.cancel()}
          </Button>
          <Button type="submit" color="red" loading={busy}>
            {verb}
          </Button>
        </div>
      </div>
    </form>
  )
}
