import { randomBytes } from 'node:crypto'

/** A fictional user. Domains below `.invalid` cannot have mailboxes (RFC 6761). */
export interface FictionalUser {
  userName: string
  givenName: string
  familyName: string
  /** The ID that the client assigns. */
  externalId: string
}

export function createFictionalUser(vendor: string): FictionalUser {
  const mark = randomBytes(5).toString('hex')
  return {
    userName: `simulated-${vendor}-${mark}@directory.invalid`,
    givenName: 'Simone',
    familyName: `Simulated ${mark}`,
    externalId: `${vendor}-${mark}`,
  }
}

export const createGroupName = (vendor: string): string => `Simulated ${vendor} ${randomBytes(5).toString('hex')}`
