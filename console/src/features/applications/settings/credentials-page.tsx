import { CopyField } from '../../../ui/copy-field'
import { Facts } from '../../../ui/facts'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import { applicationWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { PreviousSecret } from './previous-secret'
import { SecretRotation } from './secret-rotation'

export function CredentialsPage() {
  const { me } = useCurrentTeam()
  const application = useCurrentApplication()
  const { clientId, tokenEndpointAuthMethod, isPublicClient, hasSecret, secretRotatedAt, createdAt } = application
  const { previousSecretExpiresAt } = application
  const mayWrite = me.permissions.includes('applications:write')
  const since = secretRotatedAt ?? createdAt
  return (
    <>
      <Panel title={words.authPanel}>
        <Facts
          facts={[
            { name: words.clientId, value: <CopyField label={words.clientId} value={clientId} /> },
            {
              name: words.authMethodName,
              value: words.authMethod(isPublicClient ? 'none' : tokenEndpointAuthMethod),
            },
            ...(hasSecret ? [{ name: words.secretSince, value: <RelativeTime at={since} /> }] : []),
          ]}
        />
      </Panel>
      {previousSecretExpiresAt && <PreviousSecret until={previousSecretExpiresAt} mayEnd={mayWrite} />}
      {hasSecret && mayWrite && <SecretRotation since={since} />}
    </>
  )
}
