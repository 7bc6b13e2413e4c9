/** Returns the token in the URL of an invitation; undefined for any other URL, or after the token was removed. */
export function invitationIn(path: string): string | undefined {
  const token = /^\/invitations\/([\w-]+)\/?$/.exec(path)?.[1]
  return token === 'link' ? undefined : token
}
