import { useQuery } from '@tanstack/react-query'
import { serviceAddress } from '../../../api/service-address'
import m from '../../../messages/en/saml.json'
import { DocumentAddress } from '../../../ui/document/document-address'
import stack from '../../../ui/layout/stack.module.css'
import { Facts } from '../../../ui/page/facts'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { CopyField } from '../../../ui/secrets/copy-field'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { CertificateBlock } from '../keys/certificate-block'
import { samlKeysQuery } from '../keys/queries'

/** The URLs and the signing certificate that the application needs. */
export function SamlValues() {
  const { team } = useCurrentTeam()
  const { id, samlAllowIdpInitiated } = useCurrentApplication()
  const keys = useQuery(samlKeysQuery({ teamId: team.id, appId: id }))
  const active = keys.data?.find(({ state }) => state === 'active')
  const base = `${serviceAddress()}/api/v1/sso/saml-idp/${id}`
  const values = [
    { name: m.entityId(), value: `${base}/metadata` },
    { name: m.ssoUrl(), value: `${base}/sso` },
    { name: m.sloUrl(), value: `${base}/slo` },
  ]
  const metadata = (
    <DocumentAddress
      label={m.metadataUrl()}
      value={`${base}/metadata`}
      save={m.saveMetadata()}
      file="identity-provider-metadata.xml"
    />
  )
  const start = (
    <div className={stack.tight}>
      <CopyField label={m.startUrl()} value={`${base}/start`} />
      <p className={`${stack.dimmed} ${stack.small}`}>{m.startAbout()}</p>
    </div>
  )
  return (
    <Panel title={m.values()} about={m.valuesAbout()}>
      <div className={stack.parts}>
        <Facts
          facts={[
            { name: m.metadataUrl(), value: metadata },
            ...values.map(({ name, value }) => ({ name, value: <CopyField label={name} value={value} /> })),
            ...(samlAllowIdpInitiated ? [{ name: m.startUrl(), value: start }] : []),
          ]}
        />
        {keys.isPending && <RowsLoading rows={1} height={120} />}
        {keys.isError && <LoadError error={keys.error} retry={() => keys.refetch()} />}
        {active && <CertificateBlock certificate={active.certificate} file="identity-provider-certificate.pem" />}
      </div>
    </Panel>
  )
}
