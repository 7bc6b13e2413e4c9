/** A domain of an email address (lower case, at least two labels; internationalized names in their ASCII form). */
export const DOMAIN_PATTERN = '^(?=.{1,253}$)([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z0-9-]{2,63}$'

export const normalizeDomains = (domains: string[]): string[] => [
  ...new Set(domains.map((domain) => domain.toLowerCase())),
]

/** Returns whether a normalized email address belongs to one of the domains; an empty list allows all. */
export const domainAllowed = (email: string, domains: string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))
