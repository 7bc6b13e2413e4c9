import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect } from 'react'
import type { Me } from '../../../../api/contract'
import type { Problem } from '../../../../api/problem'
import { session } from '../../../../api/session'
import { signOut } from '../../../../api/sign-out'
import common from '../../../../messages/en/common.json'
import m from '../../../../messages/en/factors.json'
import { returnToSearch } from '../../../../navigation/return-to-search'
import { openPage, useSearch } from '../../../../navigation/router'
import { AuthLayout } from '../../../../ui/document/auth-layout'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { Icon } from '../../../../ui/icons/icon'
import { Notice } from '../../../../ui/layout/notice'
import { LoadError } from '../../../../ui/page/load-error'
import { exactTime } from '../../../../ui/values/time'
import '../../../../ui/dialogs/dialog-styles'
import { skipEnrollment } from '../../../../navigation/due-first'
import { safeReturn } from '../../../../navigation/return-to'
import { passkeysWork } from '../../../../passkeys/ceremony'
import { useAttempt } from '../../../../ui/dialogs/use-attempt'
import stack from '../../../../ui/layout/stack.module.css'
import { QuietButton } from '../../../../ui/public/quiet-button'
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
    <button type="button" disabled={leaving.busy} onClick={() => leaving.attempt(signOut)}>
      {common.signOut()}
    </button>
  )
  if (!me.data)
    return (
      <AuthLayout heading={m.enrollTitle()} below={leave}>
        {me.isError && <LoadError error={me.error} retry={() => me.refetch()} />}
      </AuthLayout>
    )
  return <Enroll me={me.data} goOn={goOn} leave={leave} problem={leaving.problem} />
}

interface Props {
  me: Me
  goOn: () => void
  leave: ReactNode
  /** of signing out */
  problem: Problem | null
}

function Enroll({ me, goOn, leave, problem }: Props) {
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

  const rejection = problem ?? adding.problem
  const cancelled = adding.cancelled && (
    <Notice kind="info">
      <p>{m.passkeyCancelled()}</p>
    </Notice>
  )
  return (
    <AuthLayout
      heading={m.enrollTitle()}
      lead={required ? m.enrollRequired() : m.enrollLead()}
      message={rejection ? <ProblemMessage problem={rejection} /> : cancelled}
      below={leave}
    >
      <div className={stack.parts}>
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
        {passkeysWork && (
          <div className={stack.tight}>
            <Button
              fullWidth
              leftSection={<Icon name="passkey" />}
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
      </div>
      {!enrollmentRequired && (
        <QuietButton onClick={skip}>{graceEndsAt && daysUntil(graceEndsAt) > 0 ? m.skip() : m.notNow()}</QuietButton>
      )}
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </AuthLayout>
  )
}
