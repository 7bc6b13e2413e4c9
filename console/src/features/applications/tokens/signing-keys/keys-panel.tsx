import { Button } from '@mantine/core'
import { useState } from 'react'
import type { NewSigningKey } from '../../../../api/contract'
import { issuerOf } from '../../../../api/issuer'
import { serviceAddress } from '../../../../api/service-address'
import m from '../../../../messages/en/tokens.json'
import { Icon } from '../../../../ui/icons/icon'
import stack from '../../../../ui/layout/stack.module.css'
import { EmptyState } from '../../../../ui/page/empty-state'
import { Facts } from '../../../../ui/page/facts'
import { Panel } from '../../../../ui/page/panel'
import { CopyField } from '../../../../ui/secrets/copy-field'
import { ReauthenticateDialog } from '../../../account/security/reauthenticate-dialog'
import { useReauthentication } from '../../../account/security/use-reauthentication'
import { useCurrentTeam } from '../../../organizations/current-team'
import { useCurrentApplication } from '../../current-application'
import { generateKey } from '../calls'
import styles from '../config-row.module.css'
import { useCurrentConfig } from '../current-config'
import { useConfigWrite } from '../use-config-write'
import { GenerateKeyForm } from './generate-key-form'
import { KeyRow } from './key-row'

/** The signing keys of the application, and the URL of the published keys. */
export function KeysPanel() {
  const { me } = useCurrentTeam()
  const application = useCurrentApplication()
  const { config, at, mayWrite } = useCurrentConfig()
  const { guarded, dialog } = useReauthentication()
  const [isGenerating, setIsGenerating] = useState(false)
  const jwks = `${issuerOf(application, serviceAddress())}/jwks`
  const keys = config.signingKeys

  const generate = useConfigWrite(
    (key: NewSigningKey) => guarded(() => generateKey(at, key)),
    (_, { kid }) => m.keyGenerated({ kid }),
    false,
  )

  const add = mayWrite && (
    <Button
      variant="default"
      leftSection={<Icon name="plus" />}
      loading={generate.isPending}
      onClick={() => setIsGenerating(true)}
    >
      {m.generate()}
    </Button>
  )
  return (
    <Panel title={m.keys()} about={m.keysAbout()} action={keys.length > 0 && add}>
      <div className={stack.fields}>
        {keys.length === 0 && <EmptyState icon="key" text={m.keysEmpty()} action={add} />}
        {keys.length > 0 && (
          <ul className={styles.list}>
            {keys.map((key) => (
              <KeyRow key={key.id} signingKey={key} guarded={guarded} />
            ))}
          </ul>
        )}
        <Facts facts={[{ name: m.keyJwks(), value: <CopyField label={m.keyJwks()} value={jwks} /> }]} />
        {mayWrite && (
          <p className={`${stack.dimmed} ${stack.small}`}>
            {m.keyImport()} <a href={`${serviceAddress()}/docs`}>{m.keyImportLink()}</a>
          </p>
        )}
      </div>
      {isGenerating && (
        <GenerateKeyForm
          // The form closes first, because another dialog may ask for the password.
          generate={(key) => {
            setIsGenerating(false)
            generate.mutate(key)
          }}
          close={() => setIsGenerating(false)}
        />
      )}
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}
