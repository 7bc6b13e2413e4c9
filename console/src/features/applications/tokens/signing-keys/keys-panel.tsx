import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { NewSigningKey } from '../../../../api/contract'
import { issuerOf } from '../../../../api/issuer'
import { serviceAddress } from '../../../../api/service-address'
import { announce } from '../../../../ui/announcer'
import { CopyField } from '../../../../ui/copy-field'
import { EmptyState } from '../../../../ui/empty-state'
import { Facts } from '../../../../ui/facts'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { Icon } from '../../../../ui/icons/icon'
import { Panel } from '../../../../ui/panel'
import stack from '../../../../ui/stack.module.css'
import { tokenWords as words } from '../../../../words'
import { ReauthenticateDialog } from '../../../credentials/reauthenticate-dialog'
import { useReauthentication } from '../../../credentials/use-reauthentication'
import { useAttempt } from '../../../mfa/use-attempt'
import { useCurrentTeam } from '../../../organizations/current-team'
import { useCurrentApplication } from '../../current-application'
import { generateKey } from '../calls'
import styles from '../config-row.module.css'
import { useCurrentConfig } from '../current-config'
import { GenerateKeyForm } from './generate-key-form'
import { KeyRow } from './key-row'

/** The keys of the application's own, and where all that sign for it are published. */
export function KeysPanel() {
  const { me } = useCurrentTeam()
  const application = useCurrentApplication()
  const { config, at, mayWrite } = useCurrentConfig()
  const { guarded, dialog } = useReauthentication()
  const { busy, problem, attempt } = useAttempt()
  const [making, setMaking] = useState(false)
  const jwks = `${issuerOf(application, serviceAddress())}/jwks`
  const keys = config.signingKeys

  const make = (key: NewSigningKey) =>
    attempt(async () => {
      const { kid } = await guarded(() => generateKey(at, key))
      announce(words.keyMadeNow(kid))
    })

  const add = mayWrite && (
    <Button variant="default" leftSection={<Icon name="plus" />} loading={busy} onClick={() => setMaking(true)}>
      {words.generate}
    </Button>
  )
  return (
    <Panel title={words.keys} about={words.keysAbout} action={keys.length > 0 && add}>
      <div className={stack.fields}>
        <ProblemMessage problem={problem} />
        {keys.length === 0 && <EmptyState icon="key" text={words.keysEmpty} action={add} />}
        {keys.length > 0 && (
          <ul className={styles.list}>
            {keys.map((key) => (
              <KeyRow key={key.id} signingKey={key} guarded={guarded} />
            ))}
          </ul>
        )}
        <Facts facts={[{ name: words.keyJwks, value: <CopyField label={words.keyJwks} value={jwks} /> }]} />
        {mayWrite && (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {words.keyImport} <a href={`${serviceAddress()}/docs`}>{words.keyImportLink}</a>
          </p>
        )}
      </div>
      <Modal opened={making} onClose={() => setMaking(false)} title={words.generateTitle}>
        <GenerateKeyForm
          // Goes on without the dialog: it may need a proof of who asks, which is a dialog of its own.
          make={(key) => {
            setMaking(false)
            make(key)
          }}
          close={() => setMaking(false)}
        />
      </Modal>
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}
