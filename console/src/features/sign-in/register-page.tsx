import { Button } from '@mantine/core'
import { useState } from 'react'
import { object } from 'valibot'
import { explain } from '../../api/explain'
import { asProblem, Problem } from '../../api/problem'
import { boot } from '../../boot'
import formMessages from '../../messages/en/form.json'
import m from '../../messages/en/sign-in.json'
import { Link, navigate, useSearch } from '../../navigation/router'
import { signInSearch } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/document/auth-layout'
import { EmailField, emailSchema } from '../../ui/form/email-field'
import { useMessageLine } from '../../ui/form/message-line'
import { NewPasswordField, newPasswordSchema } from '../../ui/form/new-password-field'
import { useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useSchemaForm } from '../../ui/form/use-schema-form'
import { Or } from '../../ui/public/or'
import parts from '../../ui/public/parts.module.css'
import { QuietButton } from '../../ui/public/quiet-button'
import { register } from './calls'
import { NotSetUp } from './not-set-up'
import { rememberAddress, typedAddress } from './typed-address'
import { useEnter, useFollowSignIn } from './use-enter'

export function RegisterPage() {
  const search = useSearch(signInSearch)
  const enter = useEnter(search)
  useFollowSignIn(search)
  const [taken, setTaken] = useState(false)
  const registration = useSchemaForm({
    schema: object({ email: emailSchema, password: newPasswordSchema() }),
    initial: { email: typedAddress(), password: '' },
    send: async ({ email, password }) => {
      rememberAddress(email)
      setTaken(false)
      try {
        await enter(await register({ email: email.trim(), password }))
      } catch (thrown) {
        const problem = asProblem(thrown)
        if (problem.code !== 'email_taken') throw problem
        setTaken(true)
        throw new Problem({ errors: [{ path: '/email', message: explain(problem) }] })
      }
    },
    focusOnRejection: 'email',
  })
  const { form, busy, problem } = registration
  const { field, message } = useMessageLine(registration)
  const retryIn = useRetryIn(problem)
  const isTaken = taken && Boolean(form.errors.email)
  const emailProps = field('email')
  return (
    <AuthLayout
      heading={m.registerTitle()}
      lead={boot.signUpAllowed ? m.registerLead() : m.registerLimited()}
      message={message || (!boot.onboarded && <NotSetUp />)}
      below={
        !isTaken && (
          <>
            <span>{m.haveAccount()}</span>
            <Link to="/login" search={search}>
              {m.submit()}
            </Link>
          </>
        )
      }
    >
      <form
        className={parts.form}
        onSubmit={registration.onSubmit}
        noValidate
        method="post"
        action="/register"
        aria-label={m.registerTitle()}
      >
        <EmailField
          {...emailProps}
          autoFocus={!typedAddress()}
          onChange={(event) => {
            emailProps.onChange(event)
            rememberAddress(event.target.value)
          }}
        />
        <NewPasswordField {...field('password')} label={formMessages.password()} />
        <SubmitButton busy={busy} disabled={retryIn > 0}>
          {m.registerSubmit()}
        </SubmitButton>
      </form>
      {isTaken && (
        <>
          <Or />
          <Button variant="default" fullWidth onClick={() => navigate({ to: '/login', search })}>
            {m.submit()}
          </Button>
          <QuietButton icon="mail" onClick={() => navigate({ to: '/login/link', search })}>
            {m.byLink()}
          </QuietButton>
        </>
      )}
    </AuthLayout>
  )
}
