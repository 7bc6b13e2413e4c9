import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { asProblem, Problem } from '../../../api/problem'
import m from '../../../messages/en/second-factor.json'
import { announce } from '../../../ui/document/announcer'
import { useMessageLine } from '../../../ui/form/message-line'
import { useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { CodeBoxes } from '../../../ui/public/code-boxes'
import parts from '../../../ui/public/parts.module.css'
import { answerChallenge } from '../calls'
import { mostTries } from './challenge'
import { overAfter } from './challenge-error'
import type { StepProps } from './challenge-frame'
import { appCodeSchema, backupCodeSchema } from './code-schema'

const withoutSpaces = (code: string) => code.replace(/\s/g, '')

/** Requests a code. The form is not submitted automatically, because attempts are limited. */
export function CodeStep({ challenge, frame, passed, over, more, help, backup }: StepProps & { backup: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const heading = backup ? m.backupHeading() : m.totpHeading()
  const verification = useSchemaForm({
    schema: backup ? backupCodeSchema : appCodeSchema,
    initial: { code: '' },
    send: async ({ code }) => {
      try {
        await passed(await answerChallenge(challenge.token, withoutSpaces(code), backup))
      } catch (thrown) {
        const why = overAfter(challenge, thrown)
        if (why) return over(why)
        const problem = asProblem(thrown)
        if (problem.code !== 'mfa_invalid') throw problem
        // A rejected code can't be used again: the next one replaces it.
        setTimeout(() => input.current?.select())
        const wrong = backup ? m.wrongBackupCode : m.wrongCode
        const message = wrong({ count: mostTries - challenge.wrongTries })
        throw new Problem({ errors: [{ path: '/code', message }] })
      }
    },
    focusOnRejection: 'code',
  })
  const { field, message } = useMessageLine(verification)
  const retryIn = useRetryIn(verification.problem)

  // After the heading has received the focus, move it to the field: the user has the code ready.
  useEffect(() => {
    input.current?.focus()
    announce(heading)
  }, [heading])

  return frame({
    heading,
    lead: backup ? m.backupLead() : m.totpLead(),
    message,
    below: help,
    children: (
      <>
        <form className={parts.form} onSubmit={verification.onSubmit} noValidate method="post" aria-label={heading}>
          {backup ? (
            <TextInput
              {...field('code')}
              ref={input}
              className={parts.code as string}
              label={m.backupLabel()}
              placeholder="xxxx-xxxx"
              autoComplete="off"
              inputMode="text"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              data-autofocus
            />
          ) : (
            <CodeBoxes {...field('code')} ref={input} label={m.totpLabel()} isLabelHidden />
          )}
          <SubmitButton busy={verification.busy} disabled={retryIn > 0}>
            {m.submit()}
          </SubmitButton>
        </form>
        {more}
      </>
    ),
  })
}
