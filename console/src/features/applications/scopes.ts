/** The scopes of OpenID Connect. They can be described, not renamed or removed. */
export const STANDARD_SCOPES = ['openid', 'profile', 'email', 'offline_access']

export const isStandard = ({ name }: { name: string }): boolean => STANDARD_SCOPES.includes(name)
