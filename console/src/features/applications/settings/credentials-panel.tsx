import m from '../../../messages/en/application-settings.json'
import applications from '../../../messages/en/applications.json'
import { Facts } from '../../../ui/page/facts'
import { Panel } from '../../../ui/page/panel'
import { CopyField } from '../../../ui/secrets/copy-field'
import { RelativeTime } from '../../../ui/values/relative-time'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { PreviousSecret } from './previous-secret'
import { SecretRotation } from './secret-rotation'

/** The authentication of the application, and the rotation of its secret. */
export function CredentialsPanel() {
  const { me } = useCurrentTeam()
  const application = useCurrentApplication()
  const { clientId, tokenEndpointAuthMethod, isPublicClient, hasSecret, secretRotatedAt, createdAt } = application
  const { previousSecretExpiresAt } = application
  const mayWrite = me.permissions.includes('applications:write')
  const since = secretRotatedAt ?? createdAt
  return (
    <>
      <Panel title={m.credentials()} action={hasSecret && mayWrite && <SecretRotation since={since} />}>
        <Facts
          facts={[
            {
              name: applications.clientId(),
              value: <CopyField label={applications.clientId()} value={clientId} />,
            },
            {
              name: m.authMethod(),
              value: m.authMethodName({ method: isPublicClient ? 'none' : tokenEndpointAuthMethod }),
            },
            ...(hasSecret ? [{ name: m.secretSince(), value: <RelativeTime at={since} /> }] : []),
          ]}
        />
      </Panel>
      {previousSecretExpiresAt && <PreviousSecret until={previousSecretExpiresAt} mayRevoke={mayWrite} />}
    </>
  )
}
