import { NS } from './names.js'
import type { BoundMessage } from './open-message.js'
import { readPosted } from './read-message.js'
import { readXml } from './read-xml.js'
import { readRedirect } from './redirect-signature.js'
import { attribute, childNamed, trimmedTextOf } from './xml-tree.js'

/** What a message says of itself before anything of it is verified: by which peer's keys to judge it, and nothing else. */
export interface SaidOfLogout {
  issuer: string
  /** Of an answer. */
  inResponseTo: string | undefined
}

/** Undefined for what cannot be read. Never throws, whatever the message is. */
export function peekLogout(message: BoundMessage): SaidOfLogout | undefined {
  const carried = message.binding === 'redirect' ? readRedirect(message.query) : { message: readPosted(message.field) }
  if ('fault' in carried || 'fault' in carried.message) return undefined
  const read = readXml(carried.message.text)
  if ('fault' in read) return undefined
  const issuer = trimmedTextOf(childNamed(read.root, NS.assertion, 'Issuer'))
  return issuer ? { issuer, inResponseTo: attribute(read.root, 'InResponseTo') } : undefined
}
