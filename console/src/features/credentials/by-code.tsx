import reauthenticationMessages from '../../messages/en/reauthentication.json'
import m from '../../messages/en/second-factor.json'
import { Field } from '../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import stack from '../../ui/stack.module.css'
import { reauthenticate } from './calls'

interface Props {
  /** why a code is required */
  text: string
  /** true for a backup code instead of a code of the app */
  backup?: boolean
  confirmed: () => void
}

/** Confirms the identity of the user with a code. */
export function ByCode({ text, backup = false, confirmed }: Props) {
  const { form, errors, problem, busy } = useForm({
    names: ['code'],
    check: ({ code }) => (code.trim() ? {} : { code: m.codeMissing() }),
    send: async ({ code }) => {
      await reauthenticate({ code: code.replace(/\s/g, ''), isBackupCode: backup })
    },
    saved: confirmed,
    focusOnRefusal: 'code',
  })
  const retryIn = useRetryIn(problem)
  return (
    <form {...form} method="post" aria-label={reauthenticationMessages.title()}>
      <div className={stack.fields}>
        <p>{text}</p>
        <ProblemMessage problem={problem} />
        <Field
          name="code"
          label={backup ? m.backupLabel() : m.totpLabel()}
          autoComplete="one-time-code"
          inputMode={backup ? 'text' : 'numeric'}
          data-autofocus
          error={errors.code}
        />
        <SubmitButton busy={busy} disabled={retryIn > 0}>
          {reauthenticationMessages.submit()}
        </SubmitButton>
      </div>
    </form>
  )
}
