import { Button } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { explain } from '../../api/explain'
import { useSession } from '../../api/use-session'
import { boot } from '../../boot'
import formMessages from '../../messages/en/form.json'
import linksMessages from '../../messages/en/links.json'
import secondFactorMessages from '../../messages/en/second-factor.json'
import m from '../../messages/en/sign-in.json'
import stepMessages from '../../messages/en/sign-in-steps.json'
import { Link, useSearch } from '../../navigation/router'
import { requestOf, samlRequestOf, signInSearch } from '../../navigation/sign-in-search'
import { usePasskeysWork } from '../../passkeys/ceremony'
import { ApplicationLogo } from '../../ui/application-logo'
import { AuthLayout } from '../../ui/auth-layout'
import { EmailField, wrongEmail } from '../../ui/form/email-field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import hidden from '../../ui/hidden.module.css'
import { Icon } from '../../ui/icons/icon'
import { Notice } from '../../ui/notice'
import { OnTheWay } from '../../ui/on-the-way'
import stack from '../../ui/stack.module.css'
import { signIn } from './calls'
import { MailSent } from './links/mail-sent'
import { useLinkByMail } from './links/use-link-by-mail'
import styles from './login-page.module.css'
import { NotSetUp } from './not-set-up'
import { PasswordStep } from './password-step'
import { ProviderList } from './providers/provider-list'
import { ProviderTeam } from './providers/provider-team'
import { useProviders } from './providers/use-providers'
import { takeWhyOver } from './second-factor/challenge'
import { WhyItIsOver } from './second-factor/why-over'
import { rememberAddress, typedAddress } from './typed-address'
import { useEnter, useFollowSignIn } from './use-enter'
import { usePasskeySignIn } from './use-passkey-sign-in'
import { usePasswordStep } from './use-password-step'

/** Texts that the administrator can replace. Values of other types are ignored. */
function customText(name: 'headline' | 'subtitle') {
  const text = boot.instance.customLoginConfig?.[name]
  return typeof text === 'string' && text ? text : undefined
}

/** The email address first, then the password in the same form, or the provider of the email domain. */
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
  const step = usePasswordStep(element)
  const link = useLinkByMail(search)
  /** of a password manager that filled the hidden field of the first step */
  const filled = useRef('')
  const messageId = useId()

  const { form, errors, problem, busy } = useForm({
    names: ['email', 'password', 'team', 'remember'],
    check: ({ email, password }) => {
      const wrong = wrongEmail(email)
      return {
        ...(wrong && { email: email.trim() ? stepMessages.emailWrong() : wrong }),
        ...(step.isOpen && !password && { password: formMessages.passwordMissing() }),
      }
    },
    send: async ({ email, password, team, remember }) => {
      rememberAddress(email)
      setWhyOver(null)
      passkey.clear()
      link.clear()
      if (!step.isOpen) {
        filled.current = password
        if (await sso.next(email)) step.open()
        return
      }
      const named = team.trim() ? { teamId: team.trim() } : {}
      const answer = await signIn({ email: email.trim(), password, ...named, remember: remember === 'on' })
      await step.leave()
      await enter(answer)
    },
    focusOnRefusal: 'password',
  })
  const [teamAsked, setTeamAsked] = useState(false)
  const isRejected = problem?.code === 'invalid_credentials'
  if (!teamAsked && isRejected) setTeamAsked(true)
  const retryIn = useRetryIn(problem)

  const request = requestOf(search) ?? samlRequestOf(search)
  const asker = request ? boot.application : undefined
  const again = useSession() !== null
  if (sso.leaving) return <OnTheWay text={m.redirectingTo({ provider: sso.leaving })} />
  if (link.sentTo) {
    const text = { before: linksMessages.sentBefore(), email: link.sentTo, after: linksMessages.sentLink() }
    return <MailSent text={text} resend={link.resend} change={link.clear} />
  }
  const offer = step.isOpen ? undefined : sso.offer
  // A rejected password says nothing about another email address.
  const fieldError = errors.email ?? (step.isOpen ? (errors.password ?? errors.team) : undefined)
  const rejection = link.problem ?? passkey.problem ?? (step.isOpen || !isRejected ? problem : null)
  const message = fieldError ? (
    <Notice kind="error">
      <p>{fieldError}</p>
    </Notice>
  ) : rejection ? (
    <ProblemMessage problem={rejection} />
  ) : passkey.cancelled ? (
    <Notice kind="info">
      <p>{secondFactorMessages.cancelled()}</p>
    </Notice>
  ) : whyOver ? (
    <WhyItIsOver why={whyOver} />
  ) : (
    !boot.onboarded && <NotSetUp />
  )
  const heading = asker ? m.titleOf({ application: asker.name }) : (customText('headline') ?? m.title())
  const usualLead = asker
    ? again
      ? m.freshLead({ application: asker.name })
      : m.accountAt({ owner: (boot.team ?? boot.instance).name })
    : (customText('subtitle') ?? m.lead({ instance: boot.instance.name }))
  return (
    <AuthLayout
      heading={heading}
      title={asker ? heading : m.title()}
      emblem={asker && <ApplicationLogo id={asker.id} name={asker.name} logoUrl={asker.logoUrl} size={48} />}
      message={message && <div id={messageId}>{message}</div>}
      lead={!step.isOpen && sso.domain ? stepMessages.provider(sso.domain) : usualLead}
      below={
        // A new account gets its own team and could not use the application.
        !request &&
        !step.isOpen && (
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
          autoFocus={!step.isOpen}
          readOnly={step.isOpen}
          error={errors.email}
          errorIn={messageId}
          insideWidth={72}
          inside={
            step.isOpen && (
              <button
                type="button"
                className={styles.change}
                aria-label={stepMessages.changeLabel()}
                onClick={step.close}
              >
                {stepMessages.change()}
              </button>
            )
          }
          onChange={(event) => {
            rememberAddress(event.target.value)
            sso.typed(event.target.value)
          }}
          onBlur={(event) => !step.isOpen && sso.left(event.target.value)}
        />
        {step.isOpen ? (
          <PasswordStep
            search={search}
            password={filled.current}
            errors={errors}
            rejection={problem && isRejected ? explain(problem) : undefined}
            asksForTeam={teamAsked}
            messageId={messageId}
          />
        ) : (
          <>
            {/* Password managers fill both fields at once. */}
            <input
              className={hidden.hidden}
              type="password"
              name="password"
              autoComplete="current-password"
              tabIndex={-1}
              aria-hidden="true"
            />
            <input type="hidden" name="remember" value="on" />
          </>
        )}
        <SubmitButton
          busy={busy}
          disabled={step.isOpen && retryIn > 0}
          mt={16}
          classNames={{ label: styles.fits as string }}
        >
          {step.isOpen ? m.submit() : (offer ?? stepMessages.continue())}
        </SubmitButton>
      </form>
      {sso.choosing && <ProviderList providers={sso.providers} choose={sso.leaveFor} />}
      {sso.namingTeam && <ProviderTeam toTeam={sso.toTeam} choose={sso.leaveFor} />}
      <div className={styles.or} aria-hidden="true">
        {m.or()}
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
            {secondFactorMessages.withPasskey()}
          </Button>
        )}
        {offer ? (
          <Button variant="subtle" fullWidth onClick={step.open}>
            {stepMessages.withPassword()}
          </Button>
        ) : (
          <Button
            variant="subtle"
            fullWidth
            leftSection={<Icon name="mail" />}
            loading={link.busy}
            onClick={() => link.send(element.current ? String(new FormData(element.current).get('email')).trim() : '')}
          >
            {m.byLink()}
          </Button>
        )}
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
