import { Button, Checkbox } from '@mantine/core'
import { useRef, useState } from 'react'
import { useSession } from '../../api/use-session'
import { boot } from '../../boot'
import { Link, navigate, useSearch } from '../../navigation/router'
import { requestOf, samlRequestOf, signInSearch } from '../../navigation/sign-in-search'
import { usePasskeysWork } from '../../passkeys/ceremony'
import { ApplicationLogo } from '../../ui/application-logo'
import { AuthLayout } from '../../ui/auth-layout'
import { EmailField, wrongEmail } from '../../ui/form/email-field'
import { Field } from '../../ui/form/field'
import { PasswordField } from '../../ui/form/password-field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import { Icon } from '../../ui/icons/icon'
import { Notice } from '../../ui/notice'
import { OnTheWay } from '../../ui/on-the-way'
import stack from '../../ui/stack.module.css'
import { challengeWords, formWords, signInWords as words } from '../../words'
import { signIn } from './calls'
import { takeWhyOver } from './challenge'
import styles from './login-page.module.css'
import { NotSetUp } from './not-set-up'
import { ProviderList } from './provider-list'
import { ProviderTeam } from './provider-team'
import { rememberAddress, typedAddress } from './typed-address'
import { useEnter, useFollowSignIn } from './use-enter'
import { usePasskeySignIn } from './use-passkey-sign-in'
import { useProviders } from './use-providers'
import { WhyItIsOver } from './why-over'

/** Texts that the administrator may replace. Anything but text in that record is left alone. */
function customText(name: 'headline' | 'subtitle') {
  const text = boot.instance.customLoginConfig?.[name]
  return typeof text === 'string' && text ? text : undefined
}

export function LoginPage() {
  const search = useSearch(signInSearch)
  const enter = useEnter(search)
  const passkeys = usePasskeysWork()
  useFollowSignIn(search)
  const known = typedAddress()
  const element = useRef<HTMLFormElement>(null)
  const [whyOver, setWhyOver] = useState(takeWhyOver)
  const passkey = usePasskeySignIn({
    enter,
    remember: () => element.current !== null && new FormData(element.current).get('remember') === 'on',
  })

  const sso = useProviders(search)

  const { form, errors, problem, busy } = useForm({
    names: ['email', 'password', 'team', 'remember'],
    check: ({ email, password }) => {
      const address = wrongEmail(email)
      const passwordDue = !password && sso.hasNone(email)
      return { ...(address && { email: address }), ...(passwordDue && { password: formWords.passwordMissing }) }
    },
    send: async ({ email, password, team, remember }) => {
      rememberAddress(email)
      if (!password) return sso.goOn(email)
      setWhyOver(null)
      passkey.clear()
      const named = team.trim() ? { teamId: team.trim() } : {}
      await enter(await signIn({ email: email.trim(), password, ...named, remember: remember === 'on' }))
    },
    focusOnRefusal: 'password',
  })
  const [teamAsked, setTeamAsked] = useState(false)
  if (!teamAsked && problem?.code === 'invalid_credentials') setTeamAsked(true)
  const retryIn = useRetryIn(problem)
  const refusal = passkey.problem ?? problem
  const message = refusal ? (
    <ProblemMessage problem={refusal} />
  ) : passkey.cancelled ? (
    <Notice kind="info">
      <p>{challengeWords.cancelled}</p>
    </Notice>
  ) : whyOver ? (
    <WhyItIsOver why={whyOver} />
  ) : (
    !boot.onboarded && <NotSetUp />
  )

  const request = requestOf(search) ?? samlRequestOf(search)
  const asker = request ? boot.application : undefined
  const again = useSession() !== null
  if (sso.leaving) return <OnTheWay text={words.takingTo(sso.leaving)} />
  const heading = asker ? words.to(asker.name) : (customText('headline') ?? words.title)
  return (
    <AuthLayout
      heading={heading}
      title={asker ? heading : words.title}
      emblem={asker && <ApplicationLogo id={asker.id} name={asker.name} logoUrl={asker.logoUrl} size={48} />}
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
          onChange={(event) => {
            rememberAddress(event.target.value)
            sso.typed(event.target.value)
          }}
          onBlur={(event) => sso.left(event.target)}
        />
        <PasswordField
          name="password"
          autoComplete="current-password"
          autoFocus={Boolean(known)}
          error={errors.password}
          // A space keeps the line free, so that nothing moves when the hint appears.
          hint={sso.offer ? words.orPassword : '\u00a0'}
          onChange={(event) => sso.passwordTyped(event.target.value)}
        />
        {/* Always after a wrong password, so that it says nothing of the account. */}
        {teamAsked && (
          <Field name="team" label={words.team} optional={words.optional} hint={words.teamHint} error={errors.team} />
        )}
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
        <SubmitButton busy={busy} disabled={retryIn > 0 && !sso.offer} classNames={{ label: styles.fits as string }}>
          {sso.offer ?? words.submit}
        </SubmitButton>
      </form>
      {sso.choosing && <ProviderList providers={sso.providers} choose={sso.leaveFor} />}
      {sso.namingTeam && <ProviderTeam toTeam={sso.toTeam} choose={sso.leaveFor} />}
      <div className={styles.or} aria-hidden="true">
        {words.or}
      </div>
      <div className={stack.tight}>
        {passkeys && (
          <Button
            variant="default"
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
          fullWidth
          leftSection={<Icon name="mail" />}
          onClick={() => navigate({ to: '/login/link', search })}
        >
          {words.byLink}
        </Button>
        {/* At the end: it appears when the email field is left, and must move no button that is being clicked. */}
        {sso.unverified && !sso.namingTeam && (
          <Button variant="default" fullWidth onClick={sso.unverified}>
            {words.continueWith(words.singleSignOn)}
          </Button>
        )}
      </div>
    </AuthLayout>
  )
}
