import type { NameId } from '../../protocols/saml/index.js'

/** Whose names they are where the NameID does not say. */
interface Parties {
  idpEntityId: string
  spEntityId: string
}

/**
 * How an identity is called that a NameID names. A NameID that says for which parties it holds (Core 2.2.2: of another provider behind
 * this one, for a group of service providers) is another one than the same text without; what it says beside that changes nobody, so that
 * a provider may go over to another format for the same texts.
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

/** The same of somebody whom no NameID names in a lasting way, by an attribute. It is never what `subjectOf` answers. */
export const subjectByAttribute = (attribute: string, value: string): string => JSON.stringify([attribute, value])

const LONGEST_INDEX = 255

/** A SessionIndex as it is kept, and looked for. */
export const storedIndex = (index: string): string => index.slice(0, LONGEST_INDEX)
