import { samlKeyWords, samlWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { KeysPanel } from '../keys/keys-panel'
import { WriteGate } from '../write-gate'
import { ImportPanel } from './import-panel'
import { SamlForm } from './saml-form'
import { samlFieldsOf } from './saml-settings'

/** Everything about an application that people sign in to by SAML. */
export function SamlPage() {
  const { team, me } = useCurrentTeam()
  const application = useCurrentApplication()
  return (
    <>
      <WriteGate>
        <ImportPanel />
        {/* Values that were imported, or saved elsewhere, stand in a new form. */}
        <SamlForm key={JSON.stringify(samlFieldsOf(application))} label={words.settings} />
      </WriteGate>
      <KeysPanel
        owner={{ teamId: team.id, appId: application.id }}
        mayWrite={me.permissions.includes('applications:write')}
        {...samlKeyWords.ofApplication}
      />
    </>
  )
}
