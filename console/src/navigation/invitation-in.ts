/**
 * The token in the address of an invitation, as it is mailed.
 * @returns undefined for every other address, and for one that has been cleared of it
 */
export function invitationIn(path: string): string | undefined {
  const token = /^\/invitations\/([\w-]+)\/?$/.exec(path)?.[1]
  return token === 'link' ? undefined : token
}
