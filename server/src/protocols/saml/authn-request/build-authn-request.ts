import { type MessageHead, writeMessage } from '../bindings/write-message.js'
import type { SigningKey } from '../crypto/sign-element.js'
import { attributesXml } from '../xml/escape-xml.js'
import { BINDINGS } from '../xml/names.js'

interface AuthnRequestOptions extends MessageHead {
  acsUrl: string
  nameIdFormat?: string | undefined
  /** Requires the identity provider to authenticate the user again. */
  forceAuthn?: boolean | undefined
}

/** Builds an AuthnRequest (Core 3.4.1) with a response over the POST binding. @param key signs it, for the POST binding */
export function buildAuthnRequest(options: AuthnRequestOptions, key?: SigningKey): Promise<string> {
  const { acsUrl, nameIdFormat, forceAuthn } = options
  const more = {
    ForceAuthn: forceAuthn || undefined,
    AssertionConsumerServiceURL: acsUrl,
    ProtocolBinding: BINDINGS.post,
  }
  const policy = `<samlp:NameIDPolicy${attributesXml({ Format: nameIdFormat, AllowCreate: true })}/>`
  return writeMessage('AuthnRequest', options, more, policy, key)
}
