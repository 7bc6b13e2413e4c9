import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { signInsQuery } from '../queries'
import { isTested } from '../sign-ins/tested'
import { vendorOf } from '../vendors'
import { ProviderSetup, type SetupStage } from './provider-setup'
import { setupSearch } from './setup-search'

/** The setup of a provider that is saved but not enabled. */
export function DraftSetup({ current, children }: { current: SetupStage; children: ReactNode }) {
  const { team } = useCurrentTeam()
  const provider = useCurrentProvider()
  const { id } = provider
  const navigate = useNavigate()
  const tested = isTested(provider, useQuery(signInsQuery(team.id, id)).data)
  const params = { slug: team.slug, id }
  return (
    <ProviderSetup
      vendor={vendorOf(provider)}
      protocol={provider.protocol === 'SAML2' ? 'SAML2' : 'OIDC'}
      current={current}
      done={['provider', 'app', 'values', ...(tested ? ['test' as const] : [])]}
      opens={['app', 'values', 'test', 'enable']}
      open={(stage) =>
        stage === 'values'
          ? navigate({ to: '/t/$slug/sso/$id/settings', params })
          : navigate({ to: '/t/$slug/sso/$id', params, search: setupSearch({ step: stage }) })
      }
    >
      {children}
    </ProviderSetup>
  )
}
