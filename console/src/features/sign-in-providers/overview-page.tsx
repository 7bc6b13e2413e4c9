import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { serviceAddress } from '../../api/service-address'
import m from '../../messages/en/sign-in-providers.json'
import vendorMessages from '../../messages/en/sign-in-vendors.json'
import { CopyField } from '../../ui/copy-field'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { useCurrentTeam } from '../organizations/current-team'
import { CertificatesPanel } from './certificates-panel'
import { useCurrentProvider } from './current-provider'
import { signInsQuery } from './queries'
import { ProviderSetup, type SetupStage } from './setup/provider-setup'
import { RedirectValues } from './setup/redirect-values'
import { SamlValues } from './setup/saml-values'
import { TestPanel } from './sign-ins/test-panel'
import { isTested } from './sign-ins/tested'
import { StatePanel } from './state-panel'
import { type Protocol, vendorOf } from './vendors'

/** The state of a provider, its values for the vendor and its test; the rest of the setup while it is disabled. */
export function OverviewPage() {
  const { me } = useCurrentTeam()
  const { enabled, name } = useCurrentProvider()
  if (!enabled && me.permissions.includes('sso:write')) return <Setup />
  return (
    <>
      <StatePanel title={m.state()} />
      <CertificatesPanel />
      <Panel title={m.valuesFor({ name })}>
        <Values />
      </Panel>
      <TestPanel title={m.test()} />
      <LoginUrl />
    </>
  )
}

/** The steps after the provider was saved. */
function Setup() {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const { id, name } = provider
  const protocol: Protocol = provider.protocol === 'SAML2' ? 'SAML2' : 'OIDC'
  const tested = isTested(provider, useQuery(signInsQuery(team.id, id)).data)
  const [chosen, setStage] = useState<SetupStage | null>(null)
  const stage = chosen ?? (tested ? 'enable' : protocol === 'OIDC' ? 'redirect' : 'test')
  const open = (next: SetupStage) =>
    next === 'values' ? navigate({ to: '/t/$slug/sso/$id/settings', params: { slug: team.slug, id } }) : setStage(next)
  const vendor = vendorOf(provider)
  const valuesTitle = protocol === 'OIDC' ? m.stepRedirect() : m.stepApp({ vendor: vendorMessages.place({ vendor }) })
  return (
    <>
      <ProviderSetup
        vendor={vendor}
        protocol={protocol}
        current={stage}
        done={[
          'provider',
          'app',
          'values',
          ...(stage === 'redirect' ? [] : ['redirect' as const]),
          ...(tested ? ['test' as const] : []),
        ]}
        open={open}
        closed={protocol === 'OIDC' ? ['provider', 'app'] : ['provider']}
      >
        {(stage === 'redirect' || stage === 'app') && (
          <Panel title={valuesTitle}>
            <div className={stack.parts}>
              <Values />
              <div>
                <Button onClick={() => setStage('test')}>{m.continue()}</Button>
              </div>
            </div>
          </Panel>
        )}
        {stage === 'test' && (
          <>
            <TestPanel title={m.stepTest()} />
            <Group justify="flex-end">
              <Button variant={tested ? 'filled' : 'default'} onClick={() => setStage('enable')}>
                {m.continue()}
              </Button>
            </Group>
          </>
        )}
        {stage === 'enable' && <StatePanel title={m.setUp({ name })} />}
      </ProviderSetup>
      <CertificatesPanel />
    </>
  )
}

function Values() {
  const provider = useCurrentProvider()
  const vendor = vendorOf(provider)
  return provider.protocol === 'SAML2' ? (
    <SamlValues teamId={provider.orgId} vendor={vendor} />
  ) : (
    <RedirectValues provider={provider} vendor={vendor} />
  )
}

function LoginUrl() {
  const { id, loginUrl = `${serviceAddress()}/api/v1/sso/oidc/${id}/login` } = useCurrentProvider()
  return (
    <Panel title={m.loginUrl()} about={m.loginUrlHelp()}>
      <CopyField label={m.loginUrl()} value={loginUrl} />
    </Panel>
  )
}
