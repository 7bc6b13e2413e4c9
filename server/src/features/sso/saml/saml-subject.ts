import type { NameId } from '../../../protocols/saml/index.js'

/** The default qualifiers of a NameID. */
interface Parties {
  idpEntityId: string
  spEntityId: string
}

/**
 * Returns the subject that a NameID identifies. A NameID with qualifiers of other parties (Core 2.2.2) differs from the same value without
 * them. The format is not part of the subject, so a provider can change it and keep the values.
 */
export function subjectOf(
  { nameId, nameQualifier, spNameQualifier }: NameId,
  { idpEntityId, spEntityId }: Parties,
): string {
  const qualifiers = [
    nameQualifier === idpEntityId ? '' : (nameQualifier ?? ''),
    spNameQualifier === spEntityId ? '' : (spNameQualifier ?? ''),
  ]
  const isPlain = qualifiers.every((qualifier) => qualifier === '') && !nameId.startsWith('[')
  return isPlain ? nameId : JSON.stringify([...qualifiers, nameId])
}

/** Returns the subject for a permanent ID in an attribute. It never equals a result of `subjectOf`. */
export const subjectByAttribute = (attribute: string, value: string): string => JSON.stringify([attribute, value])

const MAX_INDEX_LENGTH = 255

/** Shortens a SessionIndex as it is stored and searched. */
export const storedIndex = (index: string): string => index.slice(0, MAX_INDEX_LENGTH)
