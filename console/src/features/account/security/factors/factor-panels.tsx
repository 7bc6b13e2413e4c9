import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Factor, FactorStatus, Me } from '../../../../api/contract'
import { useWrite } from '../../../../api/use-write'
import m from '../../../../messages/en/factors.json'
import { reportAccepted } from '../../../../passkeys/accepted'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { LoadError } from '../../../../ui/load-error'
import { Notice } from '../../../../ui/notice'
import { RowsLoading } from '../../../../ui/rows-loading'
import { endOtherSessions } from '../../sessions/queries'
import { ReauthenticateDialog } from '../reauthenticate-dialog'
import { useReauthentication } from '../use-reauthentication'
import { AdaptivePanel } from './adaptive-panel'
import { AddFactorDialog } from './add-factor-dialog'
import { AuthenticatorsPanel } from './authenticators-panel'
import { BackupCodesPanel } from './backup-codes-panel'
import { factorsQuery, removeFactor, renameFactor } from './calls'
import { PasskeysPanel } from './passkeys-panel'
import { TurnOffPanel } from './turn-off-panel'
import { useAddFactor } from './use-add-factor'
import { workingFactors } from './what-is-left'

/** Passkeys, authenticator apps, backup codes and related settings. */
export function FactorPanels({ me }: { me: Me }) {
  const status = useQuery(factorsQuery)
  if (status.isError) return <LoadError error={status.error} retry={() => status.refetch()} />
  if (!status.data) return <RowsLoading rows={2} height={180} />
  return <Panels me={me} status={status.data} />
}

function Panels({ me, status }: { me: Me; status: FactorStatus }) {
  const { guarded, dialog } = useReauthentication()
  const [justOn, setJustOn] = useState(false)
  const { email, id: userId } = me.user
  const { methods, enabled } = status

  const adding = useAddFactor({
    guarded,
    added: (kind) => {
      setJustOn(true)
      notifications.show({ message: kind === 'PASSKEY' ? m.passkeyAdded() : m.authenticatorAdded() })
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
      <ProblemMessage problem={adding.problem} />
      <PasskeysPanel {...shared} />
      <AuthenticatorsPanel {...shared} />
      {enabled && (
        <>
          <BackupCodesPanel left={status.backupCodesLeft} email={email} guarded={guarded} />
          <AdaptivePanel adaptive={status.adaptive} guarded={guarded} />
          <TurnOffPanel
            status={status}
            email={email}
            hasPassword={me.hasPassword}
            guarded={guarded}
            turnedOff={turnedOff}
          />
        </>
      )}
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
