import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { DiscoveredProvider } from '../../../api/contract'
import m from '../../../messages/en/sign-in.json'
import stack from '../../../ui/layout/stack.module.css'
import parts from '../../../ui/public/parts.module.css'
import styles from '../login-page.module.css'
import { providerName } from './provider-name'

interface Props {
  providers: DiscoveredProvider[]
  choose: (provider: DiscoveredProvider) => void
}

/** Lets the user choose between several providers of the domain. */
export function ProviderList({ providers, choose }: Props) {
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => group.current?.querySelector('button')?.focus(), [])
  return (
    <fieldset ref={group} className={styles.providers}>
      <legend className={styles.providersLegend}>{m.providers()}</legend>
      <div className={stack.tight}>
        {providers.map((provider) => (
          <Button
            key={provider.id}
            variant="default"
            fullWidth
            classNames={{ label: parts.fits as string }}
            onClick={() => choose(provider)}
          >
            {m.continueWith({ provider: providerName(provider, providers) })}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
