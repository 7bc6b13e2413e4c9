import { boot } from '../../boot'

/** Returns a text of the instance's `customLoginConfig`. Values of other types are ignored. */
export const customText = (name: 'headline' | 'subtitle'): string | undefined => configured(name, /./)

/** Returns a link of the instance's `customLoginConfig`. Other schemes than http and https are ignored. */
export const customLink = (name: 'helpUrl' | 'privacyUrl' | 'termsUrl'): string | undefined =>
  configured(name, /^https?:\/\//)

/** The email address of the support. */
export const supportEmail = (): string | undefined => configured('supportEmail', /^[^\s@?&]+@[^\s@?&]+$/)

function configured(name: string, pattern: RegExp): string | undefined {
  const value = boot.instance.customLoginConfig?.[name]
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}
