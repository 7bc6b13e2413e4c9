import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { DiscoveredProvider } from '../../../api/contract'
import m from '../../../messages/en/session-expired.json'
import signInMessages from '../../../messages/en/sign-in.json'
import stack from '../../../ui/layout/stack.module.css'
import { providersOf } from '../../sign-in/providers/discovery'
import { domainOf } from '../../sign-in/providers/domain-of'
import { providerName } from '../../sign-in/providers/provider-name'
import { providerSignInHref } from '../../sign-in/providers/provider-sign-in'

/** Returns the providers of the team that has verified the domain; else those of the user's team. */
async function providersFor(domain: string, team: string): Promise<DiscoveredProvider[]> {
  const providers = await providersOf(domain)
  return providers.some(({ automatic }) => !automatic) ? providersOf(domain, team) : providers
}

/** The providers of an email address, each in a new tab, so that unsaved input stays. Some users have no password. */
export function ProvidersElsewhere({ email, teamId }: { email: string; teamId: string }) {
  const [providers, setProviders] = useState<DiscoveredProvider[]>([])
  useEffect(() => {
    const domain = domainOf(email)
    // Without a response, the password form still works.
    if (domain) providersFor(domain, teamId).then(setProviders, () => {})
  }, [email, teamId])
  if (providers.length === 0) return null
  return (
    <div className={stack.tight}>
      <p>{m.viaProvider()}</p>
      {providers.map((provider) => (
        <Button
          key={provider.id}
          component="a"
          href={providerSignInHref(provider, {}, { email, maxAge: undefined })}
          target="_blank"
          rel="noopener"
          variant="default"
          fullWidth
        >
          {signInMessages.continueWith({ provider: providerName(provider, providers) })}
        </Button>
      ))}
    </div>
  )
}
