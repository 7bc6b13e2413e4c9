import { Button, Checkbox } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useSession } from '../../api/use-session'
import { boot } from '../../boot'
import formMessages from '../../messages/en/form.json'
import secondFactorMessages from '../../messages/en/second-factor.json'
import m from '../../messages/en/sign-in.json'
import { requestOf, samlRequestOf } from '../../navigation/sign-in-search'
import { passkeysWork } from '../../passkeys/ceremony'
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

/** Texts that the administrator can replace. Values of other types are ignored. */
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

  const sso = useProviders(search)

  const { form, errors, problem, busy } = useForm({
    names: ['email', 'password', 'team', 'remember'],
    check: ({ email, password }) => {
      const address = wrongEmail(email)
      const passwordDue = !password && sso.hasNone(email)
      return { ...(address && { email: address }), ...(passwordDue && { password: formMessages.passwordMissing() }) }
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
      <p>{secondFactorMessages.cancelled()}</p>
    </Notice>
  ) : whyOver ? (
    <WhyItIsOver why={whyOver} />
  ) : (
    !boot.onboarded && <NotSetUp />
  )

  const request = requestOf(search) ?? samlRequestOf(search)
  const asker = request ? boot.application : undefined
  const again = useSession() !== null
  if (sso.leaving) return <OnTheWay text={m.redirectingTo({ provider: sso.leaving })} />
  const heading = asker ? m.titleOf({ application: asker.name }) : (customText('headline') ?? m.title())
  return (
    <AuthLayout
      heading={heading}
      title={asker ? heading : m.title()}
      emblem={asker && <ApplicationLogo id={asker.id} name={asker.name} logoUrl={asker.logoUrl} size={48} />}
      message={message}
      lead={
        asker
          ? again
            ? m.freshLead({ application: asker.name })
            : m.accountAt({ owner: (boot.team ?? boot.instance).name })
          : (customText('subtitle') ?? m.lead({ instance: boot.instance.name }))
      }
      below={
        // A new account gets its own team and could not use the application.
        !request && (
          <>
            <span>{m.noAccount()}</span>
            <Link to="/register" search={{ returnTo: search.returnTo }}>
              {m.register()}
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
          // The space reserves the line, so that nothing moves when the hint appears.
          hint={sso.offer ? m.orPassword() : '\u00a0'}
          onChange={(event) => sso.passwordTyped(event.target.value)}
        />
        {/* Shown after every wrong password, so that it discloses nothing about the account. */}
        {teamAsked && (
          <Field name="team" label={m.team()} optional={m.optional()} hint={m.teamHint()} error={errors.team} />
        )}
        <div className={styles.options}>
          <Checkbox
            name="remember"
            label={m.remember()}
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
            {m.forgot()}
          </Link>
        </div>
        <SubmitButton busy={busy} disabled={retryIn > 0 && !sso.offer} classNames={{ label: styles.fits as string }}>
          {sso.offer ?? m.submit()}
        </SubmitButton>
      </form>
      {sso.choosing && <ProviderList providers={sso.providers} choose={sso.leaveFor} />}
      {sso.namingTeam && <ProviderTeam toTeam={sso.toTeam} choose={sso.leaveFor} />}
      <div className={styles.or} aria-hidden="true">
        {m.or()}
      </div>
      <div className={stack.tight}>
        {passkeysWork && (
          <Button
            variant="default"
            fullWidth
            leftSection={<Icon name="key" />}
            loading={passkey.busy}
            onClick={passkey.signIn}
          >
            {secondFactorMessages.withPasskey()}
          </Button>
        )}
        <Button
          variant="default"
          fullWidth
          leftSection={<Icon name="mail" />}
          onClick={() => navigate({ to: '/login/link', search })}
        >
          {m.byLink()}
        </Button>
        {/* At the end: it appears when the email field loses the focus, and must not move a button that is being clicked. */}
        {sso.unverified && !sso.namingTeam && (
          <Button variant="default" fullWidth onClick={sso.unverified}>
            {m.continueWith({ provider: m.singleSignOn() })}
          </Button>
        )}
      </div>
    </AuthLayout>
  )
}
