import m from '../../../messages/en/import.json'

/** The header of a file with all columns, and one example. */
export const TEMPLATE =
  'email,firstName,lastName,role,department,title,phone,locale,groups\r\nada@example.com,Ada,Lovelace,member,Research,Engineer,,en,\r\n'

const MAX_BYTES = 1024 * 1024

/** Decodes a CSV file. @throws Error with a message for the user */
export async function textOf(file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw new Error(m.fileLarge())
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    throw new Error(m.fileEncoding())
  }
}
