import { Button } from '@mantine/core'
import type { PasswordPolicy, SessionAnswer } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import formMessages from '../../../messages/en/form.json'
import m from '../../../messages/en/join-team.json'
import { Field } from '../../../ui/form/field'
import { NewPasswordField, weakPassword } from '../../../ui/form/new-password-field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import stack from '../../../ui/stack.module.css'
import { acceptInvitation } from '../calls'

interface Props {
  token: string
  email: string
  /** the rules of the team */
  policy: PasswordPolicy
  accepted: (answer: SessionAnswer) => void
  rejected: (problem: Problem) => void
  signIn: () => void
}

/** Creates an account and joins. Only the attempt shows whether the email address has an account. */
export function JoinWithPassword({ token, email, policy, accepted, rejected, signIn }: Props) {
  const { form, errors, problem, busy } = useForm({
    names: ['firstName', 'lastName', 'password'],
    check: ({ password }) => {
      const weak = weakPassword(password, policy)
      return weak ? { password: weak } : {}
    },
    send: async ({ firstName, lastName, password }) => {
      const names = {
        ...(firstName.trim() && { firstName: firstName.trim() }),
        ...(lastName.trim() && { lastName: lastName.trim() }),
      }
      try {
        accepted(await acceptInvitation(token, { password, ...names }))
      } catch (thrown) {
        rejected(asProblem(thrown))
        throw thrown
      }
    },
    focusOnRefusal: 'password',
  })
  const retryIn = useRetryIn(problem)
  return (
    <>
      <ProblemMessage problem={problem} />
      <form {...form} method="post" aria-label={m.submit()}>
        <UsernameForManagers email={email} />
        <Field
          name="firstName"
          label={m.firstName()}
          optional={formMessages.optional()}
          autoComplete="given-name"
          maxLength={100}
          error={errors.firstName}
        />
        <Field
          name="lastName"
          label={m.lastName()}
          optional={formMessages.optional()}
          autoComplete="family-name"
          maxLength={100}
          error={errors.lastName}
        />
        <NewPasswordField name="password" label={m.password()} policy={policy} error={errors.password} />
        <SubmitButton busy={busy} mt={8} disabled={retryIn > 0}>
          {m.submit()}
        </SubmitButton>
      </form>
      <div className={stack.row}>
        <span>{m.haveAccount()}</span>
        <Button variant="default" onClick={signIn}>
          {m.signIn()}
        </Button>
      </div>
    </>
  )
}
