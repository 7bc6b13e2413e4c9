import { Field } from '../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import stack from '../../ui/stack.module.css'
import { challengeWords, accountWords as words } from '../../words'
import { reauthenticate } from './calls'

interface Props {
  /** why it is asked for */
  text: string
  /** one of the backup codes, in place of the app's */
  backup?: boolean
  confirmed: () => void
}

/** A proof, by a code, of who is sitting here. */
export function ByCode({ text, backup = false, confirmed }: Props) {
  const { form, errors, problem, busy } = useForm({
    names: ['code'],
    check: ({ code }) => (code.trim() ? {} : { code: challengeWords.codeMissing }),
    send: async ({ code }) => {
      await reauthenticate({ code: code.replace(/\s/g, ''), isBackupCode: backup })
    },
    saved: confirmed,
    focusOnRefusal: 'code',
  })
  const retryIn = useRetryIn(problem)
  return (
    <form {...form} method="post" aria-label={words.reauthTitle}>
      <div className={stack.fields}>
        <p>{text}</p>
        <ProblemMessage problem={problem} />
        <Field
          name="code"
          label={backup ? challengeWords.backup.label : challengeWords.totp.label}
          autoComplete="one-time-code"
          inputMode={backup ? 'text' : 'numeric'}
          data-autofocus
          error={errors.code}
        />
        <SubmitButton busy={busy} disabled={retryIn > 0}>
          {words.reauthSubmit}
        </SubmitButton>
      </div>
    </form>
  )
}
