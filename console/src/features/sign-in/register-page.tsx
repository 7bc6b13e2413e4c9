import { Button } from '@mantine/core'
import { boot } from '../../boot'
import formMessages from '../../messages/en/form.json'
import m from '../../messages/en/sign-in.json'
import { Link, navigate, useSearch } from '../../navigation/router'
import { signInSearch } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/auth-layout'
import { EmailField, wrongEmail } from '../../ui/form/email-field'
import { NewPasswordField, weakPassword } from '../../ui/form/new-password-field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { register } from './calls'
import { NotSetUp } from './not-set-up'
import { rememberAddress, typedAddress } from './typed-address'
import { useEnter, useFollowSignIn } from './use-enter'

export function RegisterPage() {
  const search = useSearch(signInSearch)
  const enter = useEnter(search)
  useFollowSignIn(search)
  const { form, errors, problem, busy } = useForm({
    names: ['email', 'password'],
    check: ({ email, password }) => {
      const address = wrongEmail(email)
      const weak = weakPassword(password)
      return { ...(address && { email: address }), ...(weak && { password: weak }) }
    },
    send: async ({ email, password }) => {
      rememberAddress(email)
      await enter(await register({ email: email.trim(), password }))
    },
    focusOnRefusal: 'email',
  })
  const retryIn = useRetryIn(problem)
  const taken = problem?.code === 'email_taken'

  const refusal = taken ? (
    <Notice kind="error" title={m.taken()}>
      <div className={stack.row}>
        <Button variant="default" onClick={() => navigate({ to: '/login', search })}>
          {m.takenSignIn()}
        </Button>
        <Button variant="default" onClick={() => navigate({ to: '/login/link', search })}>
          {m.takenLink()}
        </Button>
      </div>
    </Notice>
  ) : (
    <ProblemMessage problem={problem} />
  )
  const signInInstead = (
    <>
      <span>{m.haveAccount()}</span>
      <Link to="/login" search={search}>
        {m.submit()}
      </Link>
    </>
  )
  return (
    <AuthLayout
      heading={m.registerTitle()}
      lead={boot.signUpAllowed ? m.registerLead() : m.registerLimited()}
      message={problem ? refusal : !boot.onboarded && <NotSetUp />}
      below={signInInstead}
    >
      <form {...form} method="post" action="/register" aria-label={m.registerTitle()}>
        <EmailField
          name="email"
          defaultValue={typedAddress()}
          autoFocus={!typedAddress()}
          error={errors.email}
          onChange={(event) => rememberAddress(event.target.value)}
        />
        <NewPasswordField name="password" label={formMessages.password()} error={errors.password} />
        <SubmitButton busy={busy} mt={8} disabled={retryIn > 0}>
          {m.registerSubmit()}
        </SubmitButton>
      </form>
    </AuthLayout>
  )
}
