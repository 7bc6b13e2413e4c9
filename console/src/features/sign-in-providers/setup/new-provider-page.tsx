import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import m from '../../../messages/en/sign-in-providers.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import stack from '../../../ui/layout/stack.module.css'
import { Steps } from '../../../ui/layout/steps'
import { LoadError } from '../../../ui/page/load-error'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { Pills } from '../../../ui/values/pills'
import { NeedsPermission } from '../../applications/needs-permission'
import { useCurrentTeam } from '../../organizations/current-team'
import { reservationQuery } from '../queries'
import { type Protocol, protocolsOf, type Vendor } from '../vendors'
import { NewOidcForm } from './new-oidc-form'
import { NewSamlForm } from './new-saml-form'
import { ProviderSetup, type SetupStage } from './provider-setup'
import { RedirectValues } from './redirect-values'
import { SamlValues } from './saml-values'
import { VendorChoice } from './vendor-choice'

export function NewProviderPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('sso:write') ? <NewProvider /> : <NeedsPermission permission="sso:write" />
}

/** The steps until the provider is saved. Its overview shows the others. */
function NewProvider() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const [vendor, setVendor] = useState<Vendor>('VENDORA')
  const [wanted, setProtocol] = useState<Protocol>('OIDC')
  const [stage, setStage] = useState<SetupStage>('provider')
  const protocols = protocolsOf(vendor)
  const protocol = protocols.includes(wanted) ? wanted : (protocols[0] ?? 'OIDC')
  const reservation = useQuery({ ...reservationQuery(team.id), enabled: protocol === 'OIDC' })
  const Form = protocol === 'SAML2' ? NewSamlForm : NewOidcForm
  const finished: SetupStage[] = stage === 'provider' ? [] : stage === 'app' ? ['provider'] : ['provider', 'app']
  const crumbs = [{ to: '/t/$slug/sso', params: { slug: team.slug }, name: m.title() }] as const
  return (
    <Page title={m.newTitle()} lead={m.newHelp()} crumbs={crumbs}>
      <ProviderSetup
        vendor={vendor}
        protocol={protocol}
        current={stage}
        done={finished}
        opens={finished}
        open={setStage}
      >
        {stage === 'provider' && (
          <Panel title={m.stepProvider()}>
            <div className={stack.parts}>
              <VendorChoice value={vendor} choose={setVendor} />
              {protocols.length > 1 && (
                <Pills
                  legend={m.protocolLabel()}
                  showLegend
                  choices={protocols.map((value) => ({ value, name: m.protocol({ protocol: value }) }))}
                  value={protocol}
                  choose={setProtocol}
                />
              )}
              <div>
                <Button onClick={() => setStage('app')}>{m.continue()}</Button>
              </div>
            </div>
          </Panel>
        )}
        {stage === 'app' && (
          <Panel title={m.stepApp({ vendor: vendorMessages.place({ vendor }) })}>
            <div className={stack.parts}>
              {protocol === 'SAML2' ? (
                <>
                  <Steps steps={vendorMessages.samlSteps({ vendor }).split('\n')} />
                  <SamlValues teamId={team.id} vendor={vendor} />
                </>
              ) : (
                <>
                  {reservation.isError && <LoadError error={reservation.error} retry={() => reservation.refetch()} />}
                  {reservation.data && <RedirectValues provider={reservation.data} vendor={vendor} />}
                </>
              )}
              <Group justify="space-between">
                <Button variant="default" onClick={() => setStage('provider')}>
                  {m.back()}
                </Button>
                <Button onClick={() => setStage('values')}>{m.continue()}</Button>
              </Group>
            </div>
          </Panel>
        )}
        {/* Hidden, not removed, so that typed values are kept. */}
        <div hidden={stage !== 'values'}>
          <Form
            key={vendor + protocol}
            vendor={vendor}
            reservation={reservation.data?.reservation}
            back={() => setStage('app')}
            created={(id) => navigate({ to: '/t/$slug/sso/$id', params: { slug: team.slug, id } })}
          />
        </div>
      </ProviderSetup>
    </Page>
  )
}
