import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect } from 'react'
import type { Me } from '../../../../api/contract'
import { session } from '../../../../api/session'
import { signOut } from '../../../../api/sign-out'
import common from '../../../../messages/en/common.json'
import m from '../../../../messages/en/factors.json'
import { returnToSearch } from '../../../../navigation/return-to-search'
import { openPage, useSearch } from '../../../../navigation/router'
import { AuthLayout } from '../../../../ui/auth-layout'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { Icon } from '../../../../ui/icons/icon'
import { LoadError } from '../../../../ui/load-error'
import { Notice } from '../../../../ui/notice'
import { exactTime } from '../../../../ui/time'
import '../../../../ui/dialog-styles'
import { skipEnrollment } from '../../../../navigation/due-first'
import { safeReturn } from '../../../../navigation/return-to'
import { passkeysWork } from '../../../../passkeys/ceremony'
import stack from '../../../../ui/stack.module.css'
import { useAttempt } from '../../../../ui/use-attempt'
import { meQuery } from '../../profile/queries'
import { ReauthenticateDialog } from '../reauthenticate-dialog'
import { useReauthentication } from '../use-reauthentication'
import { AuthenticatorSetup } from './authenticator-setup'
import { BackupCodesOnce } from './backup-codes-once'
import { daysUntil } from './days-until'
import { useAddFactor } from './use-add-factor'

/** Sets up two-step verification before other pages, if it is required. */
export function EnrollPage() {
  const { returnTo } = useSearch(returnToSearch)
  // Days of grace pass, so the state of the session may be outdated.
  const me = useQuery({ ...meQuery, staleTime: 0 })
  const goOn = useCallback(() => void openPage(safeReturn(returnTo), { replace: true }), [returnTo])
  const leaving = useAttempt()
  const leave = (
    <Button variant="subtle" loading={leaving.busy} onClick={() => leaving.attempt(signOut)}>
      {common.signOut()}
    </Button>
  )
  if (!me.data)
    return (
      <AuthLayout heading={m.enrollTitle()} below={leave}>
        {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      </AuthLayout>
    )
  return (
    <Enroll
      me={me.data}
      goOn={goOn}
      leave={
        <>
          <ProblemMessage problem={leaving.problem} />
          {leave}
        </>
      }
    />
  )
}

interface Props {
  me: Me
  goOn: () => void
  leave: ReactNode
}

function Enroll({ me, goOn, leave }: Props) {
  const { guarded, dialog } = useReauthentication()
  const adding = useAddFactor({ guarded, added: goOn })
  const { setup, codes, busy } = adding
  const { enabled, required, enrollmentRequired, graceEndsAt } = me.mfa
  const idle = !setup && !codes && !busy
  // Already set up, possibly in another tab.
  useEffect(() => {
    if (!enabled || !idle) return
    session.factorAdded()
    goOn()
  }, [enabled, idle, goOn])

  if (codes)
    return (
      <AuthLayout heading={m.codesTitle()} wide>
        <BackupCodesOnce email={me.user.email} codes={codes} done={adding.codesStored} />
      </AuthLayout>
    )
  if (setup)
    return (
      <AuthLayout heading={m.setUpTitle()} below={leave} wide>
        <AuthenticatorSetup setup={setup} confirm={adding.confirmAuthenticator} cancel={adding.cancelAuthenticator} />
        <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
      </AuthLayout>
    )

  function skip() {
    skipEnrollment(me.user.id)
    goOn()
  }

  return (
    <AuthLayout heading={m.enrollTitle()} lead={required ? m.enrollRequired() : m.enrollLead()} below={leave}>
      <div className={stack.fields}>
        {enrollmentRequired ? (
          <Notice kind="warning">
            <p>{m.enrollNow()}</p>
          </Notice>
        ) : (
          graceEndsAt && (
            <Notice kind="info">
              <p>{m.enrollUntil({ days: daysUntil(graceEndsAt), date: exactTime(graceEndsAt) })}</p>
            </Notice>
          )
        )}
        <ProblemMessage problem={adding.problem} />
        {adding.cancelled && (
          <Notice kind="info">
            <p>{m.passkeyCancelled()}</p>
          </Notice>
        )}
        {passkeysWork && (
          <div className={stack.tight}>
            <Button
              fullWidth
              leftSection={<Icon name="key" />}
              loading={busy === 'PASSKEY'}
              onClick={adding.startPasskey}
            >
              {m.enrollPasskey()}
            </Button>
            <p className={`${stack.dimmed} ${stack.small}`}>{m.enrollPasskeyHint()}</p>
          </div>
        )}
        <div className={stack.tight}>
          <Button
            variant={passkeysWork ? 'default' : 'filled'}
            fullWidth
            leftSection={<Icon name="phone" />}
            loading={busy === 'TOTP'}
            onClick={() => adding.startAuthenticator(m.authenticatorName({ number: 1 }))}
          >
            {m.enrollAuthenticator()}
          </Button>
          <p className={`${stack.dimmed} ${stack.small}`}>{m.enrollAuthenticatorHint()}</p>
        </div>
        {!enrollmentRequired && (
          <Button variant="subtle" fullWidth onClick={skip}>
            {graceEndsAt && daysUntil(graceEndsAt) > 0 ? m.skip() : m.notNow()}
          </Button>
        )}
      </div>
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </AuthLayout>
  )
}
