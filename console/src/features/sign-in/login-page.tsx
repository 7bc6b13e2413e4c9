import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { boolean, object, string } from 'valibot'
import { explain } from '../../api/explain'
import { asProblem, Problem } from '../../api/problem'
import { useSession } from '../../api/use-session'
import { boot } from '../../boot'
import formMessages from '../../messages/en/form.json'
import linkRequest from '../../messages/en/link-request.json'
import m from '../../messages/en/sign-in.json'
import stepMessages from '../../messages/en/sign-in-steps.json'
import { Link, useSearch } from '../../navigation/router'
import { requestOf, samlRequestOf, signInSearch } from '../../navigation/sign-in-search'
import { usePasskeysWork } from '../../passkeys/ceremony'
import { AuthLayout } from '../../ui/document/auth-layout'
import hidden from '../../ui/document/hidden.module.css'
import { customText } from '../../ui/document/login-config'
import { EmailField, emailSchema } from '../../ui/form/email-field'
import { useMessageLine } from '../../ui/form/message-line'
import { useRetryIn } from '../../ui/form/problem-message'
import { requiredText } from '../../ui/form/required-text'
import { SubmitButton } from '../../ui/form/submit-button'
import { useSchemaForm } from '../../ui/form/use-schema-form'
import { Icon } from '../../ui/icons/icon'
import { Notice } from '../../ui/layout/notice'
import { OnTheWay } from '../../ui/layout/on-the-way'
import { Or } from '../../ui/public/or'
import parts from '../../ui/public/parts.module.css'
import { QuietButton } from '../../ui/public/quiet-button'
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

const emailStep = object({ email: emailSchema, password: string(), team: string(), remember: boolean() })
const passwordStep = object({ ...emailStep.entries, password: requiredText(formMessages.passwordMissing()) })

interface Values extends Record<string, unknown> {
  email: string
  password: string
  team: string
  remember: boolean
}

/** The email address first, then the password in the same form, or the provider of the email domain. */
export function LoginPage() {
  const search = useSearch(signInSearch)
  const enter = useEnter(search)
  const passkeys = usePasskeysWork()
  useFollowSignIn(search)
  const element = useRef<HTMLFormElement>(null)
  const [whyOver, setWhyOver] = useState(takeWhyOver)
  const [isRejected, setIsRejected] = useState(false)
  const passkey = usePasskeySignIn({ enter, remember: () => form.getValues().remember })
  const sso = useProviders(search)
  const step = usePasswordStep(element)
  const link = useLinkByMail(search)

  async function send(values: Values) {
    rememberAddress(values.email)
    setWhyOver(null)
    passkey.clear()
    link.clear()
    if (!step.isOpen) {
      if (await sso.next(values.email)) step.open()
      return
    }
    const answer = await signInWithPassword(values)
    await step.leave()
    await enter(answer, values.email.trim())
  }

  /** @throws Problem of the password field for a wrong email address or password, which says nothing about the account */
  async function signInWithPassword({ email, password, team, remember }: Values) {
    const named = team.trim() ? { teamId: team.trim() } : {}
    try {
      return await signIn({ email: email.trim(), password, ...named, remember })
    } catch (thrown) {
      const problem = asProblem(thrown)
      if (problem.code !== 'invalid_credentials') throw problem
      setIsRejected(true)
      form.setFieldValue('password', '')
      throw new Problem({ errors: [{ path: '/password', message: explain(problem) }] })
    }
  }

  const loginForm = useSchemaForm<Values>({
    schema: step.isOpen ? passwordStep : emailStep,
    initial: { email: typedAddress(), password: '', team: '', remember: true },
    send,
    focusOnRejection: 'password',
  })
  const { form, busy } = loginForm
  const problem = link.problem ?? passkey.problem ?? loginForm.problem
  const { field, message } = useMessageLine({ form, problem })
  const retryIn = useRetryIn(loginForm.problem)
  const { clearErrors } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error of one step says nothing about the other.
  useEffect(clearErrors, [step.isOpen])

  const request = requestOf(search) ?? samlRequestOf(search)
  const asker = request ? boot.application : undefined
  const again = useSession() !== null
  if (sso.leaving) return <OnTheWay text={m.redirectingTo({ provider: sso.leaving })} />
  if (link.sentTo) {
    const text = { before: linkRequest.sentBefore(), email: link.sentTo, after: linkRequest.sentLink() }
    return <MailSent text={text} resend={link.resend} change={link.clear} />
  }
  const offer = step.isOpen ? undefined : sso.offer
  const note = passkey.cancelled ? (
    <Notice kind="info">
      <p>{stepMessages.cancelled()}</p>
    </Notice>
  ) : whyOver ? (
    <WhyItIsOver why={whyOver} />
  ) : (
    !asker && !boot.onboarded && <NotSetUp />
  )
  const toUnverified = sso.unverified && !sso.namingTeam && (
    <button type="button" onClick={sso.unverified}>
      {m.continueWith({ provider: m.singleSignOn() })}
    </button>
  )
  // In the message line: it appears when the email field loses the focus, and must not move a button that is being clicked. In the second
  // step it is there from the beginning, and an error that adds a line would move the password field: there it is in the footer.
  const unverified = !step.isOpen && toUnverified && <p className={parts.inline}>{toUnverified}</p>
  const shown = message || note
  const heading = asker ? m.titleOf({ application: asker.name }) : (customText('headline') ?? m.title())
  const instance = boot.instance.name
  // The logo names the team of the application, and the heading the application.
  const account = asker ? m.accountAt({ instance }) : (customText('subtitle') ?? m.accountAt({ instance }))
  const reason = asker && again && m.freshLead({ application: asker.name, team: boot.team?.name ?? '', instance })
  const domain = !step.isOpen && sso.domain && (
    <p>
      <b>{sso.domain.domain}</b> {stepMessages.provider({ provider: sso.domain.provider })}
    </p>
  )
  // Any team can list a domain: its provider must not hide why a signed-in user signs in again.
  const reasonAndProvider = reason && (
    <>
      <p>{reason}</p>
      {unverified || domain}
    </>
  )
  const emailProps = field('email')
  return (
    <AuthLayout
      heading={heading}
      title={asker ? heading : m.title()}
      message={
        (shown || (!reason && unverified)) && (
          <>
            {shown}
            {unverified}
          </>
        )
      }
      lead={reasonAndProvider || domain || account}
      below={
        step.isOpen
          ? toUnverified
          : // A new account gets its own team and could not use the application.
            !request && (
              <>
                <span>{m.noAccount({ instance: boot.instance.name })}</span>
                <Link to="/register" search={{ returnTo: search.returnTo }}>
                  {m.register()}
                </Link>
              </>
            )
      }
    >
      <form
        ref={element}
        className={parts.form}
        onSubmit={loginForm.onSubmit}
        noValidate
        method="post"
        action="/login"
        aria-label={heading}
      >
        <EmailField
          {...emailProps}
          autoComplete="username webauthn"
          autoFocus={!step.isOpen}
          // During the lookup, too: its result belongs to the submitted address.
          readOnly={step.isOpen || busy}
          rightSectionWidth={80}
          rightSectionPointerEvents="all"
          rightSection={
            step.isOpen && (
              <button
                type="button"
                className={styles.action}
                aria-label={stepMessages.changeLabel()}
                onClick={step.close}
              >
                {stepMessages.change()}
              </button>
            )
          }
          onChange={(event) => {
            emailProps.onChange(event)
            rememberAddress(event.target.value)
            sso.typed(event.target.value)
          }}
          onBlur={(event) => {
            emailProps.onBlur(event)
            if (!step.isOpen) void sso.left(event.target.value)
          }}
        />
        {step.isOpen ? (
          <PasswordStep search={search} field={field} passwordKey={form.key('password')} offersTeam={isRejected} />
        ) : (
          // Password managers fill both fields at once.
          <input
            className={hidden.hidden}
            type="password"
            name="password"
            data-path="password"
            autoComplete="current-password"
            defaultValue={form.getValues().password}
            tabIndex={-1}
            aria-hidden="true"
          />
        )}
        <SubmitButton
          busy={busy}
          disabled={step.isOpen && retryIn > 0}
          leftSection={offer && <Icon name="building" />}
          classNames={{ label: parts.fits as string }}
        >
          {step.isOpen ? m.submit() : (offer ?? stepMessages.continue())}
        </SubmitButton>
      </form>
      {sso.choosing && <ProviderList providers={sso.providers} choose={sso.leaveFor} />}
      {sso.namingTeam && <ProviderTeam toTeam={sso.toTeam} choose={sso.leaveFor} />}
      <Or />
      {passkeys && (
        <Button
          variant="default"
          fullWidth
          leftSection={<Icon name="passkey" />}
          loading={passkey.busy}
          onClick={passkey.signIn}
        >
          {stepMessages.withPasskey()}
        </Button>
      )}
      {offer ? (
        <QuietButton onClick={step.open}>{stepMessages.withPassword()}</QuietButton>
      ) : (
        <QuietButton
          icon="mail"
          loading={link.busy}
          onClick={() => link.send(element.current ? String(new FormData(element.current).get('email')).trim() : '')}
        >
          {m.byLink()}
        </QuietButton>
      )}
    </AuthLayout>
  )
}
