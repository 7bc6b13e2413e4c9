import type { ReactNode } from 'react'
import { object, string } from 'valibot'
import type { PasswordPolicy } from '../../../api/contract'
import m from '../../../messages/en/form.json'
import { DialogActions } from '../../../ui/dialogs/dialog-actions'
import { useMessageLine } from '../../../ui/form/message-line'
import { NewPasswordField, newPasswordSchema } from '../../../ui/form/new-password-field'
import { PasswordField } from '../../../ui/form/password-field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { requiredText } from '../../../ui/form/required-text'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useUnsaved } from '../../../ui/form/unsaved'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import stack from '../../../ui/layout/stack.module.css'

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
  /** closes the dialog; absent on a page */
  close?: () => void
  /** shows the form on a public page, whose message line has the errors */
  frame?: (parts: { message: ReactNode; children: ReactNode }) => ReactNode
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
  close,
  frame,
}: Props) {
  const passwords = useSchemaForm({
    schema: object({
      currentPassword: hasPassword ? requiredText(m.passwordMissing()) : string(),
      newPassword: newPasswordSchema(policy),
    }),
    initial: { currentPassword: '', newPassword: '' },
    send: ({ currentPassword, newPassword }) => save(currentPassword, newPassword),
    done: saved,
    resetFields: 'all',
    focusOnRejection: hasPassword ? 'currentPassword' : 'newPassword',
  })
  const { form, problem, busy, changes, onSubmit } = passwords
  const { field, message } = useMessageLine(passwords)
  const fieldProps = (name: 'currentPassword' | 'newPassword') =>
    frame ? field(name) : { name, ...form.getInputProps(name) }
  const retryIn = useRetryIn(problem)
  useUnsaved(changes > 0)
  const children = (
    <form onSubmit={onSubmit} noValidate method="post" aria-label={label}>
      <div className={frame ? stack.parts : stack.fields}>
        {!frame && <ProblemMessage problem={problem} />}
        <UsernameForManagers email={email} />
        {hasPassword && (
          <PasswordField
            key={form.key('currentPassword')}
            label={currentLabel}
            autoComplete="current-password"
            data-autofocus={close ? true : undefined}
            {...fieldProps('currentPassword')}
          />
        )}
        <NewPasswordField
          key={form.key('newPassword')}
          policy={policy}
          data-autofocus={close && !hasPassword ? true : undefined}
          {...fieldProps('newPassword')}
        />
        {close ? (
          <DialogActions verb={submit} close={close} busy={busy} disabled={retryIn > 0} />
        ) : (
          <SubmitButton busy={busy} disabled={retryIn > 0}>
            {submit}
          </SubmitButton>
        )}
      </div>
    </form>
  )
  return frame ? frame({ message, children }) : children
}
