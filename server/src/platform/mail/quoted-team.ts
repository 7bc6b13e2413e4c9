const LONGEST = 60

/**
 * Returns a team's name as mails quote it. Any team can send mail to anyone, so the reader sees where the name begins and ends, and
 * whether the team has verified an email domain.
 */
export function quotedTeam(name: string, verifiedDomain: string | undefined): string {
  const characters = [...name]
  const quoted = characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : name
  return `“${quoted}” (${verifiedDomain ? `verified domain ${verifiedDomain}` : 'not verified'})`
}

/** Takes the place of an email address that its owner has not verified: anyone can register any address. */
export const UNVERIFIED_SENDER = 'A user whose email address is not verified'
