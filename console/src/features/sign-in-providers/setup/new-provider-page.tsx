import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../../ui/page'
import { Panel } from '../../../ui/panel'
import { Pills } from '../../../ui/pills'
import stack from '../../../ui/stack.module.css'
import { ssoWords as words } from '../../../words'
import { NeedsPermission } from '../../applications/needs-permission'
import { useCurrentTeam } from '../../organizations/current-team'
import { type Protocol, protocolsOf, type Vendor } from '../vendors'
import { NewOidcForm } from './new-oidc-form'
import { NewSamlForm } from './new-saml-form'
import { VendorChoice } from './vendor-choice'

export function NewProviderPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('sso:write') ? <NewProvider /> : <NeedsPermission permission="sso:write" />
}

function NewProvider() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const [vendor, setVendor] = useState<Vendor>('VENDORA')
  const [wanted, setProtocol] = useState<Protocol>('OIDC')
  const protocols = protocolsOf(vendor)
  const protocol = protocols.includes(wanted) ? wanted : (protocols[0] ?? 'OIDC')
  const Form = protocol === 'SAML2' ? NewSamlForm : NewOidcForm
  const made = (id: string) => navigate({ to: '/t/$slug/sso/$id', params: { slug: team.slug, id } })

  return (
    <Page title={words.newTitle} lead={words.newLead}>
      <Panel title={words.whose} hideTitle>
        <div className={stack.parts}>
          <VendorChoice value={vendor} choose={setVendor} />
          {protocols.length > 1 && (
            <Pills
              legend={words.how}
              showLegend
              choices={protocols.map((value) => ({ value, name: words.protocol[value] }))}
              value={protocol}
              choose={setProtocol}
            />
          )}
        </div>
      </Panel>
      <Form key={vendor + protocol} vendor={vendor} made={made} />
    </Page>
  )
}
