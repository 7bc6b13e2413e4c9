import { useQuery } from '@tanstack/react-query'
import { serviceAddress } from '../../api/service-address'
import { CodeBlock } from '../../design/code-block'
import { CopyField } from '../../design/copy-field'
import { Facts } from '../../design/facts'
import { LoadError } from '../../design/load-error'
import { Panel } from '../../design/panel'
import { RowsLoading } from '../../design/rows-loading'
import stack from '../../design/stack.module.css'
import { samlWords as words } from '../../words'
import { useCurrentApplication } from '../applications/current-application'
import { useCurrentTeam } from '../organizations/current-team'
import { samlKeysQuery } from './queries'

/** What an application has to know of us: addresses, and the certificate that signs. */
export function SamlValues() {
  const { team } = useCurrentTeam()
  const { id, samlAllowIdpInitiated } = useCurrentApplication()
  const keys = useQuery(samlKeysQuery(team.id, id))
  const active = keys.data?.find(({ state }) => state === 'active')
  const base = `${serviceAddress()}/api/v1/sso/saml-idp/${id}`
  const values = [
    { name: words.metadataUrl, value: `${base}/metadata` },
    { name: words.entityId, value: `${base}/metadata` },
    { name: words.ssoUrl, value: `${base}/sso` },
    { name: words.sloUrl, value: `${base}/slo` },
    ...(samlAllowIdpInitiated ? [{ name: words.startUrl, value: `${base}/start` }] : []),
  ]
  return (
    <Panel title={words.values} about={words.valuesAbout}>
      <div className={stack.parts}>
        <Facts facts={values.map(({ name, value }) => ({ name, value: <CopyField label={name} value={value} /> }))} />
        {keys.isPending && <RowsLoading rows={1} height={120} />}
        {keys.isError && <LoadError error={keys.error} retry={() => keys.refetch()} />}
        {active && <CodeBlock label={words.certificate} code={active.certificate} wrap />}
      </div>
    </Panel>
  )
}
