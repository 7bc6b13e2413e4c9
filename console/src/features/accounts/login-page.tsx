import { Button, Checkbox } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
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
import { Notice } from '../../design/notice'
import stack from '../../design/stack.module.css'
import { requestOf } from '../../navigation/sign-in-search'
import { passkeysWork } from '../../passkeys/ceremony'
import { challengeWords, formWords, signInWords as words } from '../../words'
import { signIn } from './calls'
import { takeWhyOver } from './challenge'
import styles from './login-page.module.css'
import { NotSetUp } from './not-set-up'
import { rememberAddress, typedAddress } from './typed-address'
import { useEnter, useFollowSignIn } from './use-enter'
import { usePasskeySignIn } from './use-passkey-sign-in'

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
  const element = useRef<HTMLFormElement>(null)
  const [whyOver, setWhyOver] = useState(takeWhyOver)
  const passkey = usePasskeySignIn({
    enter,
    remember: () => element.current !== null && new FormData(element.current).get('remember') === 'on',
  })

  const { form, errors, problem, busy } = useForm({
    names: ['email', 'password', 'remember'],
    check: ({ email, password }) => {
      const address = wrongEmail(email)
      return { ...(address && { email: address }), ...(!password && { password: formWords.passwordMissing }) }
    },
    send: async ({ email, password, remember }) => {
      rememberAddress(email)
      setWhyOver(null)
      passkey.clear()
      await enter(await signIn({ email: email.trim(), password, remember: remember === 'on' }))
    },
    focusOnRefusal: 'password',
  })
  const retryIn = useRetryIn(problem)
  const refusal = passkey.problem ?? problem
  const hint = passkey.cancelled ? challengeWords.cancelled : whyOver && challengeWords.over[whyOver]
  const message = refusal ? (
    <ProblemMessage problem={refusal} />
  ) : hint ? (
    <Notice kind="info">
      <p>{hint}</p>
    </Notice>
  ) : (
    !boot.onboarded && <NotSetUp />
  )

  const request = requestOf(search)
  const asker = request ? boot.application : undefined
  const again = useSession() !== null
  const heading = asker ? words.to(asker.name) : (customText('headline') ?? words.title)
  return (
    <AuthLayout
      heading={heading}
      title={asker ? heading : words.title}
      emblem={asker && <ApplicationLogo name={asker.name} logoUrl={asker.logoUrl} size={48} />}
      message={message}
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
      <form {...form} ref={element} method="post" action="/login" aria-label={heading}>
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
      <div className={stack.tight}>
        {passkeysWork && (
          <Button
            variant="default"
            h={44}
            fz="md"
            fullWidth
            leftSection={<Icon name="key" />}
            loading={passkey.busy}
            onClick={passkey.signIn}
          >
            {challengeWords.byPasskey}
          </Button>
        )}
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
      </div>
    </AuthLayout>
  )
}
