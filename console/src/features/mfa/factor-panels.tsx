import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Factor, FactorStatus, Me } from '../../api/contract'
import m from '../../messages/en/factors.json'
import { reportAccepted } from '../../passkeys/accepted'
import { announce } from '../../ui/announcer'
import { ProblemMessage } from '../../ui/form/problem-message'
import { LoadError } from '../../ui/load-error'
import { Notice } from '../../ui/notice'
import { RowsLoading } from '../../ui/rows-loading'
import { ReauthenticateDialog } from '../credentials/reauthenticate-dialog'
import { useReauthentication } from '../credentials/use-reauthentication'
import { endOtherSessions } from '../sessions/queries'
import { AdaptivePanel } from './adaptive-panel'
import { AddFactorDialog } from './add-factor-dialog'
import { AuthenticatorsPanel } from './authenticators-panel'
import { BackupCodesPanel } from './backup-codes-panel'
import { factorsQuery, removeFactor, renameFactor } from './calls'
import { PasskeysPanel } from './passkeys-panel'
import { TurnOffPanel } from './turn-off-panel'
import { useAddFactor } from './use-add-factor'
import { useAttempt } from './use-attempt'
import { workingFactors } from './what-is-left'

/** Passkeys, authenticator apps, backup codes and related settings. */
export function FactorPanels({ me }: { me: Me }) {
  const status = useQuery(factorsQuery)
  if (status.isError) return <LoadError error={status.error} retry={() => status.refetch()} />
  if (!status.data) return <RowsLoading rows={2} height={180} />
  return <Panels me={me} status={status.data} />
}

function Panels({ me, status }: { me: Me; status: FactorStatus }) {
  const queries = useQueryClient()
  const { guarded, dialog } = useReauthentication()
  const [said, setSaid] = useState<string | null>(null)
  const [justOn, setJustOn] = useState(false)
  const { email, id: userId } = me.user
  const { methods, enabled } = status

  async function say(text: string) {
    // Refresh the list before the message, so that they agree.
    await queries.invalidateQueries({ queryKey: ['mine'] })
    setSaid(text)
    announce(text)
  }

  const adding = useAddFactor({
    guarded,
    added: (kind) => {
      setJustOn(true)
      say(kind === 'PASSKEY' ? m.passkeyAdded() : m.authenticatorAdded())
    },
  })

  async function remove(factor: Factor) {
    await guarded(() => removeFactor(factor.id))
    const passkeys = workingFactors(methods, 'PASSKEY').filter(({ id }) => id !== factor.id)
    if (factor.type === 'PASSKEY')
      reportAccepted(
        userId,
        passkeys.flatMap(({ credentialId }) => credentialId ?? []),
      )
    await say(m.removed({ name: factor.name }))
  }

  async function rename(factor: Factor, name: string) {
    await guarded(() => renameFactor(factor.id, name))
    await say(m.renamed({ name }))
  }

  async function turnedOff() {
    reportAccepted(userId, [])
    setJustOn(false)
    await say(m.turnedOff())
  }

  const shared = { methods, hasPassword: me.hasPassword, adding, rename, remove }
  return (
    <>
      {said && (
        <Notice kind="success">
          <p>{said}</p>
        </Notice>
      )}
      {justOn && <OthersOut say={say} done={() => setJustOn(false)} />}
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
function OthersOut({ say, done }: { say: (text: string) => Promise<void>; done: () => void }) {
  const { busy, problem, attempt } = useAttempt()
  const endOthers = () =>
    attempt(async () => {
      const { ended } = await endOtherSessions()
      await say(m.othersEnded({ ended }))
      done()
    })
  return (
    <Notice kind="info" title={m.onTitle()}>
      <p>{m.onText()}</p>
      <ProblemMessage problem={problem} />
      <div>
        <Button variant="default" loading={busy} onClick={endOthers}>
          {m.signOutOthers()}
        </Button>
      </div>
    </Notice>
  )
}
