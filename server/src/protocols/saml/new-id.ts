import { randomBytes } from 'node:crypto'

/** Returns a new ID for a message or an assertion: an xs:ID with 160 random bits (Core 1.3.4). */
export const newId = (): string => `_${randomBytes(20).toString('hex')}`
