import { Button, Checkbox } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useSession } from '../../api/use-session'
import { boot } from '../../boot'
import { ApplicationLogo } from '../../design/application-logo'
import { AuthLayout } from '../../design/auth-layout'
import { EmailField, wrongEmail } from '../../design/form/email-field'
import { PasswordField } from '../../design/form/password-field'
import { ProblemMessage, useRetryIn } from '../../design/form/problem-message'
import { SubmitButton } from '../../design/form/submit-button'
import { useForm } from '../../design/form/use-form'
import { Icon } from '../../design/icons/icon'
import { requestOf } from '../../navigation/sign-in-search'
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
  const search = getRouteApi('/login').useSearch()
  const navigate = useNavigate()
  const enter = useEnter(search)
  useFollowSignIn(search)
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

  const request = requestOf(search)
  const asker = request ? boot.application : undefined
  const again = useSession() !== null
  const heading = asker ? words.to(asker.name) : (customText('headline') ?? words.title)
  return (
    <AuthLayout
      heading={heading}
      title={asker ? heading : words.title}
      emblem={asker && <ApplicationLogo name={asker.name} logoUrl={asker.logoUrl} size={48} />}
      message={problem ? <ProblemMessage problem={problem} /> : !boot.onboarded && <NotSetUp />}
      lead={
        asker
          ? again
            ? words.againLead(asker.name)
            : words.toLead((boot.team ?? boot.instance).name)
          : (customText('subtitle') ?? words.lead(boot.instance.name))
      }
      below={
        // An account that is made here is in a team of its own, and could not use the application.
        !request && (
          <>
            <span>{words.noAccount}</span>
            <Link to="/register" search={{ returnTo: search.returnTo }}>
              {words.register}
            </Link>
          </>
        )
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
          <Link to="/forgot-password" search={search} className={styles.forgot}>
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
        onClick={() => navigate({ to: '/login/link', search })}
      >
        {words.byLink}
      </Button>
    </AuthLayout>
  )
}
