import { Button } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { useSession } from '../../api/use-session'
import { boot } from '../../boot'
import m from '../../messages/en/sign-in-steps.json'
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
import { challengeWords, explain, formWords, linkWords, signInWords as words } from '../../words'
import { signIn } from './calls'
import { takeWhyOver } from './challenge'
import styles from './login-page.module.css'
import { MailSent } from './mail-sent'
import { NotSetUp } from './not-set-up'
import { PasswordStep } from './password-step'
import { ProviderList } from './provider-list'
import { ProviderTeam } from './provider-team'
import { rememberAddress, typedAddress } from './typed-address'
import { useEnter, useFollowSignIn } from './use-enter'
import { useLinkByMail } from './use-link-by-mail'
import { usePasskeySignIn } from './use-passkey-sign-in'
import { usePasswordStep } from './use-password-step'
import { useProviders } from './use-providers'
import { WhyItIsOver } from './why-over'

/** Texts that the administrator may replace. Anything but text in that record is left alone. */
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
        ...(wrong && { email: email.trim() ? m.emailWrong() : wrong }),
        ...(step.isOpen && !password && { password: formWords.passwordMissing }),
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
  if (sso.leaving) return <OnTheWay text={words.takingTo(sso.leaving)} />
  if (link.sentTo) return <MailSent text={linkWords.sentLink(link.sentTo)} resend={link.resend} change={link.clear} />
  const offer = step.isOpen ? undefined : sso.offer
  const fieldError = errors.email ?? errors.password ?? errors.team
  const refusal = link.problem ?? passkey.problem ?? problem
  const message = fieldError ? (
    <Notice kind="error">
      <p>{fieldError}</p>
    </Notice>
  ) : refusal ? (
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
  const heading = asker ? words.to(asker.name) : (customText('headline') ?? words.title)
  const usualLead = asker
    ? again
      ? words.againLead(asker.name)
      : words.toLead((boot.team ?? boot.instance).name)
    : (customText('subtitle') ?? words.lead(boot.instance.name))
  return (
    <AuthLayout
      heading={heading}
      title={asker ? heading : words.title}
      emblem={asker && <ApplicationLogo id={asker.id} name={asker.name} logoUrl={asker.logoUrl} size={48} />}
      message={message && <div id={messageId}>{message}</div>}
      lead={!step.isOpen && sso.domain ? m.provider(sso.domain) : usualLead}
      below={
        // The team of a new account is its own: it could not use the application.
        !request &&
        !step.isOpen && (
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
          autoFocus={!step.isOpen}
          readOnly={step.isOpen}
          error={errors.email}
          errorIn={messageId}
          insideWidth={72}
          inside={
            step.isOpen && (
              <button type="button" className={styles.change} aria-label={m.changeLabel()} onClick={step.close}>
                {m.change()}
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
          {step.isOpen ? words.submit : (offer ?? m.continue())}
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
        {offer ? (
          <Button variant="subtle" fullWidth onClick={step.open}>
            {m.withPassword()}
          </Button>
        ) : (
          <Button
            variant="subtle"
            fullWidth
            leftSection={<Icon name="mail" />}
            loading={link.busy}
            onClick={() => link.send(element.current ? String(new FormData(element.current).get('email')).trim() : '')}
          >
            {words.byLink}
          </Button>
        )}
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
