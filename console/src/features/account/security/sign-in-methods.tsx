import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Factor, Me } from '../../../api/contract'
import { showDone } from '../../../api/toasts'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/factors.json'
import security from '../../../messages/en/security.json'
import { reportAccepted } from '../../../passkeys/accepted'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { endOtherSessions } from '../sessions/queries'
import { AdaptivePanel } from './factors/adaptive-panel'
import { AddFactorDialog } from './factors/add-factor-dialog'
import { AuthenticatorsMethod } from './factors/authenticators-method'
import { BackupCodesMethod } from './factors/backup-codes-method'
import { factorsQuery, removeFactor, renameFactor } from './factors/calls'
import { PasskeysMethod } from './factors/passkeys-method'
import { TwoStepMethod } from './factors/two-step-method'
import { useAddFactor } from './factors/use-add-factor'
import { workingFactors } from './factors/what-is-left'
import styles from './method-row.module.css'
import { PasswordMethod } from './password-method'
import { ReauthenticateDialog } from './reauthenticate-dialog'
import { useReauthentication } from './use-reauthentication'

/** The sign-in methods of the account, each with its state and one action. */
export function SignInMethods({ me }: { me: Me }) {
  const query = useQuery(factorsQuery)
  const status = query.data
  const { guarded, dialog } = useReauthentication()
  const [justOn, setJustOn] = useState(false)
  const { email, id: userId } = me.user
  const methods = status?.methods ?? []

  const adding = useAddFactor({
    guarded,
    added: (kind) => {
      setJustOn(true)
      showDone(kind === 'PASSKEY' ? m.passkeyAdded() : m.authenticatorAdded())
    },
  })
  const removal = useWrite({
    act: async (factor: Factor) => {
      await guarded(() => removeFactor(factor.id))
      if (factor.type !== 'PASSKEY') return
      const passkeys = workingFactors(methods, 'PASSKEY').filter(({ id }) => id !== factor.id)
      reportAccepted(
        userId,
        passkeys.flatMap(({ credentialId }) => credentialId ?? []),
      )
    },
    refresh: [['mine']],
    done: (_, { name }) => m.removed({ name }),
  })
  const renaming = useWrite({
    act: ({ factor, name }: { factor: Factor; name: string }) => guarded(() => renameFactor(factor.id, name)),
    refresh: [['mine']],
    done: (_, { name }) => m.renamed({ name }),
  })

  function turnedOff() {
    reportAccepted(userId, [])
    setJustOn(false)
  }

  const shared = {
    methods,
    hasPassword: me.hasPassword,
    adding,
    removing: removal.isPending ? removal.variables : undefined,
    rename: (factor: Factor, name: string) => renaming.mutate({ factor, name }),
    remove: (factor: Factor) => removal.mutate(factor),
  }
  return (
    <>
      {justOn && <OthersOut done={() => setJustOn(false)} />}
      <Panel title={security.methods()}>
        <div className={stack.fields}>
          <ProblemMessage problem={adding.problem} />
          {adding.cancelled && (
            <Notice kind="info">
              <p>{m.passkeyCancelled()}</p>
            </Notice>
          )}
          <ul className={styles.list}>
            <PasswordMethod me={me} />
            {status && <PasskeysMethod {...shared} />}
            {status && <AuthenticatorsMethod {...shared} />}
            {status?.enabled && <BackupCodesMethod left={status.backupCodesLeft} email={email} guarded={guarded} />}
            {status?.enabled && (
              <TwoStepMethod
                status={status}
                email={email}
                hasPassword={me.hasPassword}
                guarded={guarded}
                turnedOff={turnedOff}
              />
            )}
          </ul>
          {query.isError && <LoadError error={query.error} retry={() => query.refetch()} />}
          {query.isPending && <RowsLoading rows={2} height={64} />}
        </div>
      </Panel>
      {status?.enabled && <AdaptivePanel adaptive={status.adaptive} guarded={guarded} />}
      <AddFactorDialog adding={adding} email={email} covered={dialog.asking !== null} />
      <ReauthenticateDialog email={email} hasPassword={me.hasPassword} {...dialog} />
    </>
  )
}

/** Offers to sign out other devices, which may not belong to the user. */
function OthersOut({ done }: { done: () => void }) {
  const write = useWrite({
    act: endOtherSessions,
    refresh: [['mine']],
    done: ({ ended }) => {
      done()
      return m.othersEnded({ ended })
    },
  })
  return (
    <Notice kind="info" title={m.onTitle()}>
      <p>{m.onText()}</p>
      <div>
        <Button variant="default" loading={write.isPending} onClick={() => write.mutate()}>
          {m.signOutOthers()}
        </Button>
      </div>
    </Notice>
  )
}
