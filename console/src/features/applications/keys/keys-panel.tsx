import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/saml-keys.json'
import { announce } from '../../../ui/announcer'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { LoadError } from '../../../ui/load-error'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { ReauthenticateDialog } from '../../credentials/reauthenticate-dialog'
import { useReauthentication } from '../../credentials/use-reauthentication'
import { useAttempt } from '../../mfa/use-attempt'
import { useCurrentTeam } from '../../organizations/current-team'
import { KeyRow } from './key-row'
import styles from './key-row.module.css'
import { type KeyOwner, prepareKey, samlKeysQuery } from './queries'

interface Props {
  owner: KeyOwner
  title: string
  /** who needs the certificates, and why */
  about: string
  /** what to do with the next key before it signs */
  hint: string
  /** what the activation means for partners without the new certificate */
  risk: string
  mayWrite: boolean
}

/** The signing keys of an owner, and their rotation: create, publish, activate, remove. */
export function KeysPanel({ owner, title, about, hint, risk, mayWrite }: Props) {
  const { me } = useCurrentTeam()
  const keys = useQuery(samlKeysQuery(owner))
  const { guarded, dialog } = useReauthentication()
  const { busy, problem, attempt } = useAttempt()
  const waits = keys.data?.some(({ state }) => state === 'next')
  const prepare = () =>
    attempt(async () => {
      await guarded(() => prepareKey(owner))
      announce(m.prepared())
    })
  return (
    <Panel
      title={title}
      about={about}
      action={
        mayWrite &&
        keys.data &&
        !waits && (
          <Button variant="default" leftSection={<Icon name="plus" />} loading={busy} onClick={prepare}>
            {m.prepare()}
          </Button>
        )
      }
    >
      <div className={stack.fields}>
        <ProblemMessage problem={problem} />
        {keys.isPending && <RowsLoading rows={1} />}
        {keys.isError && <LoadError error={keys.error} retry={() => keys.refetch()} />}
        {waits && (
          <Notice kind="info" title={m.prepared()}>
            <p>{hint}</p>
          </Notice>
        )}
        <ul className={styles.list}>
          {keys.data?.map((key) => (
            <KeyRow key={key.id} samlKey={key} owner={owner} risk={risk} guarded={guarded} mayWrite={mayWrite} />
          ))}
        </ul>
      </div>
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}
