import m from '../../../messages/en/consent.json'
import '@mantine/core/styles/Badge.layer.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { asProblem, Problem } from '../../../api/problem'
import { session } from '../../../api/session'
import { signOut } from '../../../api/sign-out'
import { boot } from '../../../boot'
import { passwordDueHref } from '../../../navigation/due-first'
import { type SignInRequest, signInHref } from '../../../navigation/sign-in-search'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { OnTheWay } from '../../../ui/layout/on-the-way'
import { answerInteraction, interactionQuery } from '../../account/access/queries'
import { DeviceForm } from '../device/device-form'
import { ConsentForm } from './consent-form'
import { leaveFor } from './leave-for'
import { SecondFactorStep } from './second-factor-step'
import { SignInError } from './sign-in-error'

/** Errors that a new sign-in resolves. */
const signInCures = ['reauthentication_required', 'session_ended']

interface Props {
  request: SignInRequest
  /** the code of the device, if the user came with one */
  userCode?: string | undefined
  /** a link to the previous page */
  below?: ReactNode
}

/** Answers the request of an application or device. Requires consent only for new permissions. */
export function AnswerRequest({ request, userCode, below }: Props) {
  const interaction = useQuery(interactionQuery(request))
  const { busy, problem, handedOver, send, answer } = useAnswer(request)
  const [email] = useState(() => session.view()?.user.email ?? '')
  const found = interaction.data
  const rejection = interaction.isError ? asProblem(interaction.error) : problem
  const signInDue = found?.loginRequired || (rejection && signInCures.includes(rejection.code))
  const passwordDue = rejection?.code === 'password_change_required'
  const factorDue = found && !found.loginRequired && found.secondFactorRequired
  // A device always requires consent: another person may have started the request.
  const silent = found && !found.loginRequired && !factorDue && !found.consentRequired && !found.device
  const name = found?.application.name ?? boot.application?.name
  const switchAccount = () => signOut(signInHref(request))

  useEffect(() => {
    // A new document, which knows the application and shows the form despite a session.
    if (signInDue) location.replace(signInHref(request, { fresh: true }))
  }, [signInDue, request])
  useEffect(() => {
    if (passwordDue) location.replace(passwordDueHref(location.pathname + location.search))
  }, [passwordDue])
  useEffect(() => {
    if (silent) answer(true)
  }, [silent, answer])
  // Another user may be signed in by now.
  useEffect(() => session.listen(() => location.reload()), [])

  if (handedOver)
    return <AuthLayout heading={m.continueIn({ application: name ?? m.unnamed() })} lead={m.continueInLead()} />
  if (rejection && !signInDue && !passwordDue && !(found && !silent && isPassing(rejection))) {
    return (
      <SignInError
        problem={rejection}
        application={name}
        email={email}
        deny={() => send(false)}
        switchAccount={switchAccount}
        retry={() => location.reload()}
      />
    )
  }
  if (factorDue && !signInDue)
    return (
      <SecondFactorStep
        application={found.application.name}
        proven={() => interaction.refetch()}
        below={
          <button type="button" onClick={() => switchAccount().catch(() => location.assign('/logout'))}>
            {m.notYou()}
          </button>
        }
      />
    )
  if (!found || silent || signInDue || passwordDue)
    return <OnTheWay text={m.redirecting({ application: name ?? m.unnamed() })} />
  const form = {
    email,
    busy,
    problem,
    answer,
    switchAccount: () => switchAccount().catch(() => location.assign('/logout')),
  }
  return found.device ? (
    <DeviceForm interaction={found} device={found.device} userCode={userCode} below={below} {...form} />
  ) : (
    <ConsentForm interaction={found} {...form} />
  )
}

/** An outage or a rate limit: the form stays, and the button can be used again. */
function isPassing({ status, code }: Problem) {
  return code === 'unreachable' || status === 429 || status >= 500
}

/** Sends the answer once, and follows the redirect of the application. */
function useAnswer(request: SignInRequest) {
  const [busy, setBusy] = useState<'allow' | 'deny' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [handedOver, setHandedOver] = useState(false)
  const sending = useRef(false)

  const send = useCallback(
    async (consent: boolean) => {
      const departure = leaveFor(await answerInteraction(request, consent))
      if (departure === 'rejected') throw new Problem({ code: 'not_followable' })
      setHandedOver(departure === 'handed-over')
    },
    [request],
  )
  const answer = useCallback(
    async (consent: boolean) => {
      if (sending.current) return
      sending.current = true
      setBusy(consent ? 'allow' : 'deny')
      setProblem(null)
      try {
        await send(consent)
      } catch (thrown) {
        sending.current = false
        setProblem(asProblem(thrown))
        setBusy(null)
      }
    },
    [send],
  )
  return { busy, problem, handedOver, send, answer }
}
