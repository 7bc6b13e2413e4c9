import { randomBytes } from 'node:crypto'

/** Somebody whom a directory makes up: nobody can have an address below `.invalid` (RFC 6761). */
export interface MadeUpPerson {
  userName: string
  givenName: string
  familyName: string
  /** What the directory calls them. */
  externalId: string
}

export function makeUpPerson(vendor: string): MadeUpPerson {
  const mark = randomBytes(5).toString('hex')
  return {
    userName: `simulated-${vendor}-${mark}@directory.invalid`,
    givenName: 'Simone',
    familyName: `Simulated ${mark}`,
    externalId: `${vendor}-${mark}`,
  }
}

export const makeUpGroupName = (vendor: string): string => `Simulated ${vendor} ${randomBytes(5).toString('hex')}`
