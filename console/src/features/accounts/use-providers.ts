import { useEffect, useRef, useState } from 'react'
import type { DiscoveredProvider } from '../../api/contract'
import { Problem } from '../../api/problem'
import { boot } from '../../boot'
import type { SignInSearch } from '../../navigation/sign-in-search'
import { announce } from '../../ui/announcer'
import { signInWords as words } from '../../words'
import { providersOf } from './discovery'
import { domainOf } from './domain-of'
import { wasSent } from './pending-provider'
import { pointerReleased } from './pointer-released'
import { providerName } from './provider-name'
import { leaveForProvider, maxAgeOf } from './provider-sign-in'
import { typedAddress } from './typed-address'

/** If the lookup fails, the password still works. */
const passwordWorks = (): DiscoveredProvider[] => []

const verifiedOf = (providers: DiscoveredProvider[]) => providers.filter(({ automatic }) => automatic)

const offerOf = ([first, ...more]: DiscoveredProvider[]): string =>
  first && more.length === 0 ? words.continueWith(first.name) : words.chooseProvider

interface Found {
  domain: string
  providers: DiscoveredProvider[]
}

/**
 * The providers of the email domain, looked up when the email field loses focus and when the form is submitted. If the team has verified
 * the domain, the form's button leads to its provider. Any team can list any domain, so other providers are offered by one secondary
 * button, without their names; if several teams list the domain, the user names theirs.
 */
export function useProviders(search: SignInSearch) {
  const [found, setFound] = useState<Found | null>(null)
  const [choosing, setChoosing] = useState(false)
  const [namingTeam, setNamingTeam] = useState(false)
  const [leaving, setLeaving] = useState<string | null>(null)
  const wanted = useRef<string | undefined>(undefined)

  /** @throws Problem if the lookup fails */
  async function look(email: string): Promise<DiscoveredProvider[]> {
    const domain = domainOf(email)
    wanted.current = domain
    if (!domain) return []
    const providers = await providersOf(domain)
    await pointerReleased()
    // Another email address was entered meanwhile.
    if (wanted.current === domain) setFound({ domain, providers })
    return providers
  }

  const first = useRef(look)
  useEffect(() => {
    // The provider of an email address from an earlier page is offered, but opened only by a click.
    first.current(typedAddress()).catch(passwordWorks)
  }, [])

  function leaveFor(provider: DiscoveredProvider) {
    setLeaving(providerName(provider, [provider]))
    leaveForProvider(provider, search, { email: typedAddress(), maxAge: maxAgeOf(search, boot.signInMaxAge) })
  }

  const providers = found?.providers ?? []
  const verified = verifiedOf(providers)
  const [only] = verified.length === 1 ? verified : []

  return {
    providers,
    /** the name of the provider to which the browser is on its way */
    leaving,
    choosing: choosing && providers.length > 1,
    leaveFor,
    /** the text of the form's button while it leads to a provider */
    offer: verified.length > 0 ? offerOf(verified) : undefined,
    /** the domain and its only provider, if its team has verified the domain */
    domain: found && only ? { domain: found.domain, provider: only.name } : undefined,
    /** whether several teams list the domain and none has verified it: the user names the one to sign in to */
    namingTeam: namingTeam && providers.length > 1 && verified.length === 0,
    /** @returns the providers of the team that the user named; an only one is opened. @throws Problem if it has none */
    async toTeam(team: string): Promise<DiscoveredProvider[]> {
      const named = found ? await providersOf(found.domain, team) : []
      const [first, ...more] = named
      if (!first) throw new Problem({ errors: [{ path: '/team', message: words.teamHasNoProvider }] })
      if (more.length === 0) leaveFor(first)
      return named
    },
    /** the action of the secondary button, if no team has verified the domain */
    unverified:
      providers.length > 0 && verified.length === 0
        ? () => (providers.length === 1 && providers[0] ? leaveFor(providers[0]) : setNamingTeam(true))
        : undefined,

    typed(email: string) {
      const domain = domainOf(email)
      if (found && domain !== found.domain) {
        wanted.current = domain
        setFound(null)
        setChoosing(false)
        setNamingTeam(false)
      }
    },

    /** The email field has lost focus. */
    async left(email: string) {
      if (found?.domain === domainOf(email)) return
      const providers = await look(email).catch(passwordWorks)
      if (providers.length === 0) return
      const verified = verifiedOf(providers)
      announce(verified.length > 0 ? offerOf(verified) : words.continueWith(words.singleSignOn))
    },

    /** The form was submitted with the email address. @returns whether the password is next */
    async next(email: string): Promise<boolean> {
      const isOffered = found?.domain === domainOf(email)
      const [first, ...more] = verifiedOf(await look(email).catch(passwordWorks))
      if (!first) return true
      if (more.length > 0) setChoosing(true)
      // A user who came back from the provider without a sign-in sees the offer first.
      else if (isOffered || !wasSent()) leaveFor(first)
      return false
    },
  }
}
