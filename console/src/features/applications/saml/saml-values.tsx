import { useQuery } from '@tanstack/react-query'
import { serviceAddress } from '../../../api/service-address'
import { CopyField } from '../../../ui/copy-field'
import { DocumentAddress } from '../../../ui/document-address'
import { Facts } from '../../../ui/facts'
import { LoadError } from '../../../ui/load-error'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { samlWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { CertificateBlock } from '../keys/certificate-block'
import { samlKeysQuery } from '../keys/queries'

/** What an application has to know of us: addresses, and the certificate that signs. */
export function SamlValues() {
  const { team } = useCurrentTeam()
  const { id, samlAllowIdpInitiated } = useCurrentApplication()
  const keys = useQuery(samlKeysQuery({ teamId: team.id, appId: id }))
  const active = keys.data?.find(({ state }) => state === 'active')
  const base = `${serviceAddress()}/api/v1/sso/saml-idp/${id}`
  const values = [
    { name: words.entityId, value: `${base}/metadata` },
    { name: words.ssoUrl, value: `${base}/sso` },
    { name: words.sloUrl, value: `${base}/slo` },
  ]
  const metadata = (
    <DocumentAddress
      label={words.metadataUrl}
      value={`${base}/metadata`}
      save={words.saveMetadata}
      file="identity-provider-metadata.xml"
    />
  )
  const start = (
    <div className={stack.tight}>
      <CopyField label={words.startUrl} value={`${base}/start`} />
      <p className={`${stack.dimmed} ${stack.small}`}>{words.startAbout}</p>
    </div>
  )
  return (
    <Panel title={words.values} about={words.valuesAbout}>
      <div className={stack.parts}>
        <Facts
          facts={[
            { name: words.metadataUrl, value: metadata },
            ...values.map(({ name, value }) => ({ name, value: <CopyField label={name} value={value} /> })),
            ...(samlAllowIdpInitiated ? [{ name: words.startUrl, value: start }] : []),
          ]}
        />
        {keys.isPending && <RowsLoading rows={1} height={120} />}
        {keys.isError && <LoadError error={keys.error} retry={() => keys.refetch()} />}
        {active && <CertificateBlock certificate={active.certificate} file="identity-provider-certificate.pem" />}
      </div>
    </Panel>
  )
}
