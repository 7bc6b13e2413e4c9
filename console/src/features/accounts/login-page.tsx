import { Button, Checkbox } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { boot } from '../../boot'
import { AuthLayout } from '../../design/auth-layout'
import { EmailField, wrongEmail } from '../../design/form/email-field'
import { PasswordField } from '../../design/form/password-field'
import { ProblemMessage, useRetryIn } from '../../design/form/problem-message'
import { SubmitButton } from '../../design/form/submit-button'
import { useForm } from '../../design/form/use-form'
import { Icon } from '../../design/icons/icon'
import { formWords, signInWords as words } from '../../words'
import { signIn } from './calls'
import styles from './login-page.module.css'
import { NotSetUp } from './not-set-up'
import { rememberAddress, typedAddress } from './typed-address'
import { useEnter, useFollowSignIn } from './use-enter'

/** Texts that the administrator may replace. Anything but text in that record is left alone. */
function customText(name: 'headline' | 'subtitle') {
  const text = boot.instance.customLoginConfig?.[name]
  return typeof text === 'string' && text ? text : undefined
}

export function LoginPage() {
  const { returnTo } = getRouteApi('/login').useSearch()
  const navigate = useNavigate()
  const enter = useEnter(returnTo)
  useFollowSignIn(returnTo)
  const known = typedAddress()

  const { form, errors, problem, busy } = useForm({
    names: ['email', 'password', 'remember'],
    check: ({ email, password }) => {
      const address = wrongEmail(email)
      return { ...(address && { email: address }), ...(!password && { password: formWords.passwordMissing }) }
    },
    send: async ({ email, password, remember }) => {
      rememberAddress(email)
      await enter(await signIn({ email: email.trim(), password, remember: remember === 'on' }))
    },
    focusOnRefusal: 'password',
  })
  const retryIn = useRetryIn(problem)

  const asker = boot.application?.name
  const heading = asker ? words.to(asker) : (customText('headline') ?? words.title)
  return (
    <AuthLayout
      heading={heading}
      title={words.title}
      message={problem ? <ProblemMessage problem={problem} /> : !boot.onboarded && <NotSetUp />}
      lead={customText('subtitle') ?? words.lead(boot.instance.name)}
      below={
        <>
          <span>{words.noAccount}</span>
          <Link to="/register" search={{ returnTo }}>
            {words.register}
          </Link>
        </>
      }
    >
      <form {...form} method="post" action="/login" aria-label={heading}>
        <EmailField
          name="email"
          autoComplete="username webauthn"
          defaultValue={known}
          autoFocus={!known}
          error={errors.email}
          onChange={(event) => rememberAddress(event.target.value)}
        />
        <PasswordField
          name="password"
          autoComplete="current-password"
          autoFocus={Boolean(known)}
          error={errors.password}
        />
        <div className={styles.options}>
          <Checkbox
            name="remember"
            label={words.remember}
            defaultChecked
            size="sm"
            iconColor="var(--mantine-primary-color-contrast)"
            classNames={{
              root: styles.remember as string,
              body: styles.rememberBody as string,
              label: styles.rememberLabel as string,
              input: styles.box as string,
            }}
          />
          <Link to="/forgot-password" className={styles.forgot}>
            {words.forgot}
          </Link>
        </div>
        <SubmitButton busy={busy} disabled={retryIn > 0}>
          {words.submit}
        </SubmitButton>
      </form>
      <div className={styles.or} aria-hidden="true">
        {words.or}
      </div>
      <Button
        variant="default"
        h={44}
        fz="md"
        fullWidth
        leftSection={<Icon name="mail" />}
        onClick={() => navigate({ to: '/login/link', search: { returnTo } })}
      >
        {words.byLink}
      </Button>
    </AuthLayout>
  )
}
