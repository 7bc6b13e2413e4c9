import type { SpMetadata } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/saml.json'
import keys from '../../../messages/en/saml-keys.json'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { KeysPanel } from '../keys/keys-panel'
import { applicationsQuery, changeApplication } from '../queries'
import { WriteGate } from '../write-gate'
import { MetadataPanel } from './metadata-panel'
import { SamlForm } from './saml-form'
import { samlValuesOf } from './saml-settings'

/** Removes the URLs for responses of earlier metadata. New ones replace them only if the metadata has them. */
const noResponseUrls = ({ samlSpSloUrl, samlSpSloPostUrl }: Pick<SpMetadata, 'samlSpSloUrl' | 'samlSpSloPostUrl'>) => ({
  ...(samlSpSloUrl && { samlSpSloResponseUrl: null }),
  ...(samlSpSloPostUrl && { samlSpSloPostResponseUrl: null }),
})

/** The settings and keys of a SAML application. */
export function SamlPage() {
  const { team, me } = useCurrentTeam()
  const application = useCurrentApplication()
  const { mutateAsync: take } = useWrite({
    act: ({ warnings: _, requestedAttributes: __, certificateExpiresAt: ___, ...fields }: SpMetadata) =>
      changeApplication(team.id, application.id, { ...noResponseUrls(fields), ...fields }),
    refresh: [applicationsQuery(team.id).queryKey],
    done: () => m.taken(),
    showsError: true,
  })
  return (
    <>
      <WriteGate>
        <MetadataPanel take={take} />
        {/* A new form when the stored values change, for example by an import. */}
        <SamlForm key={JSON.stringify(samlValuesOf(application))} />
      </WriteGate>
      <KeysPanel
        owner={{ teamId: team.id, appId: application.id }}
        mayWrite={me.permissions.includes('applications:write')}
        title={keys.applicationTitle()}
        about={keys.applicationAbout()}
        hint={keys.applicationHint()}
        risk={keys.applicationRisk()}
      />
    </>
  )
}
