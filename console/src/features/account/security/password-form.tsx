import type { PasswordPolicy } from '../../../api/contract'
import m from '../../../messages/en/form.json'
import { NewPasswordField, weakPassword } from '../../../ui/form/new-password-field'
import { PasswordField } from '../../../ui/form/password-field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import stack from '../../../ui/stack.module.css'
import { useUnsaved } from '../../../ui/unsaved'

interface Props {
  email: string
  /** false for an account without a password */
  hasPassword: boolean
  currentLabel?: string
  /** the policy of the current team; while unknown, the policy of the instance */
  policy?: PasswordPolicy | undefined
  submit: string
  label: string
  /** sends the passwords; the page handles the result */
  save: (currentPassword: string, newPassword: string) => Promise<unknown>
  saved: () => void
}

/** Changes a password or sets the first one. The new password is typed once, because it can be shown. */
export function PasswordForm({
  email,
  hasPassword,
  currentLabel = m.currentPassword(),
  policy,
  submit,
  label,
  save,
  saved,
}: Props) {
  const { form, errors, problem, busy, dirty } = useForm({
    names: ['currentPassword', 'newPassword'],
    check: ({ currentPassword, newPassword }) => {
      const weak = weakPassword(newPassword, policy)
      return {
        ...(hasPassword && !currentPassword && { currentPassword: m.passwordMissing() }),
        ...(weak && { newPassword: weak }),
      }
    },
    send: async ({ currentPassword, newPassword }, element) => {
      await save(currentPassword, newPassword)
      element.reset()
    },
    saved,
    focusOnRefusal: hasPassword ? 'currentPassword' : 'newPassword',
  })
  const retryIn = useRetryIn(problem)
  useUnsaved(dirty)
  return (
    <form {...form} className={stack.narrow} method="post" aria-label={label}>
      <div className={stack.fields}>
        <ProblemMessage problem={problem} />
        <UsernameForManagers email={email} />
        {hasPassword && (
          <PasswordField
            name="currentPassword"
            label={currentLabel}
            autoComplete="current-password"
            error={errors.currentPassword}
          />
        )}
        <NewPasswordField name="newPassword" error={errors.newPassword} {...(policy && { policy })} />
        <SubmitButton busy={busy} disabled={retryIn > 0}>
          {submit}
        </SubmitButton>
      </div>
    </form>
  )
}
