import type { WantedSettings } from './provider.js'

/** What says nothing of whom the provider lets in, or by what. */
const PLAIN: readonly string[] = ['name', 'enabled'] satisfies (keyof WantedSettings)[]

/**
 * Whether a change names what the provider trusts, or whom it lets in, be it as it is already: who writes that answers for it. Who gives
 * it another name, or switches it, lends it no rights.
 */
export const namesTrust = (wanted: WantedSettings): boolean =>
  Object.entries(wanted).some(([field, value]) => value !== undefined && !PLAIN.includes(field))
