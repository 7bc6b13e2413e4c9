import { useEffect, useRef } from 'react'
import m from '../../../messages/en/second-factor.json'
import { announce } from '../../../ui/announcer'
import { Field } from '../../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import stack from '../../../ui/stack.module.css'
import { answerChallenge } from '../calls'
import { overAfter } from './challenge-error'
import type { StepProps } from './challenge-frame'

/** Requests a code. The form is not submitted automatically, because attempts are limited. */
export function CodeStep({ challenge, frame, passed, over, more, backup }: StepProps & { backup: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  const heading = backup ? m.backupHeading() : m.totpHeading()
  const { form, errors, problem, busy } = useForm({
    names: ['code'],
    check: ({ code }) => (code.trim() ? {} : { code: m.codeMissing() }),
    send: async ({ code }, element) => {
      try {
        await passed(await answerChallenge(challenge.token, code.replace(/\s/g, ''), backup))
      } catch (thrown) {
        const why = overAfter(challenge, thrown)
        if (why) return over(why)
        // A rejected code can't be used again.
        element.reset()
        throw thrown
      }
    },
    focusOnRefusal: 'code',
  })
  const retryIn = useRetryIn(problem)

  // After the heading has received the focus, move it to the field: the user has the code ready.
  useEffect(() => {
    field.current?.focus()
    announce(heading)
  }, [heading])

  return frame({
    heading,
    lead: backup ? m.backupLead() : m.totpLead(),
    message: problem && <ProblemMessage problem={problem} />,
    children: (
      <div className={stack.fields}>
        <form {...form} method="post" aria-label={heading}>
          <Field
            ref={field}
            name="code"
            label={backup ? m.backupLabel() : m.totpLabel()}
            autoComplete="one-time-code"
            inputMode={backup ? 'text' : 'numeric'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            data-autofocus
            error={errors.code}
          />
          <SubmitButton busy={busy} disabled={retryIn > 0}>
            {m.submit()}
          </SubmitButton>
        </form>
        {more}
      </div>
    ),
  })
}
