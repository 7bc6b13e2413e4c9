/** A domain name as it stands after an @ (lower case, at least two labels; internationalized names in their ASCII form). */
export const DOMAIN_PATTERN = '^(?=.{1,253}$)([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z0-9-]{2,63}$'

export const normalizeDomains = (domains: string[]): string[] => [
  ...new Set(domains.map((domain) => domain.toLowerCase())),
]

/** Whether an address of a normalized form may be used where only `domains` are allowed; an empty list allows all. */
export const domainAllowed = (email: string, domains: string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))
