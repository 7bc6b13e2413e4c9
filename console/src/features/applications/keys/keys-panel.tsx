import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/saml-keys.json'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { ReauthenticateDialog } from '../../account/security/reauthenticate-dialog'
import { useReauthentication } from '../../account/security/use-reauthentication'
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
  const hasNext = keys.data?.some(({ state }) => state === 'next')
  const prepare = useWrite({
    act: () => guarded<unknown>(() => prepareKey(owner)),
    refresh: [samlKeysQuery(owner).queryKey],
    done: () => m.prepared(),
  })
  return (
    <Panel
      title={title}
      about={about}
      action={
        mayWrite &&
        keys.data &&
        !hasNext && (
          <Button
            variant="default"
            leftSection={<Icon name="plus" />}
            loading={prepare.isPending}
            onClick={() => prepare.mutate()}
          >
            {m.prepare()}
          </Button>
        )
      }
    >
      <div className={stack.fields}>
        {keys.isPending && <RowsLoading rows={1} />}
        {keys.isError && <LoadError error={keys.error} retry={() => keys.refetch()} />}
        {hasNext && (
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
