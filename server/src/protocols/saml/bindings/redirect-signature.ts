import { isSignedBy, signatureAlgorithm } from '../crypto/signature-algorithms.js'
import { trustedCertificates } from '../crypto/trusted-certificates.js'
import type { RejectedSignature, SignatureRules } from '../crypto/verify-signature.js'
import { type ReadMessage, readBase64, readDeflated } from './read-message.js'

/** A message of the redirect binding, as in its query. */
export interface RedirectMessage {
  parameter: 'SAMLRequest' | 'SAMLResponse'
  message: ReadMessage
  relayState: string | undefined
  signature: { algorithm: string; value: string; input: string } | undefined
}

const ENCODING = 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE'
const NAMES = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature', 'SAMLEncoding']

/**
 * Reads the query exactly as sent (Bindings 3.4.4.1), because the signature covers its encoding. Encoded and repeated parameter names are
 * rejected, because another parser might read a different message. Other parameters are ignored.
 */
export function readRedirect(rawQuery: string): RedirectMessage | { violation: string } {
  const raw = new Map<string, string>()
  for (const pair of rawQuery.replace(/^\?/, '').split('&')) {
    const split = pair.indexOf('=')
    const spelled = split === -1 ? pair : pair.slice(0, split)
    const name = decoded(spelled)
    if (name === undefined) return { violation: 'the query is not percent-encoded correctly' }
    if (!NAMES.includes(name)) continue
    if (name !== spelled) return { violation: `the name of the parameter ${name} is encoded` }
    if (raw.has(name)) return { violation: `the parameter ${name} occurs twice` }
    raw.set(name, split === -1 ? '' : pair.slice(split + 1))
  }
  const parameter = raw.has('SAMLRequest') ? 'SAMLRequest' : 'SAMLResponse'
  const spelled = raw.get(parameter)
  if (spelled === undefined) return { violation: 'there is neither SAMLRequest nor SAMLResponse' }
  if (parameter === 'SAMLRequest' && raw.has('SAMLResponse'))
    return { violation: 'there is both a SAMLRequest and a SAMLResponse' }
  const values = new Map([...raw].map(([name, value]) => [name, decoded(value)]))
  if ([...values.values()].includes(undefined)) return { violation: 'the query is not percent-encoded correctly' }
  if (raw.has('SAMLEncoding') && values.get('SAMLEncoding') !== ENCODING)
    return { violation: 'the encoding is not DEFLATE' }
  if (raw.has('SigAlg') !== raw.has('Signature')) return { violation: 'Signature and SigAlg must be sent together' }
  return {
    parameter,
    message: readDeflated(values.get(parameter) ?? ''),
    relayState: raw.has('RelayState') ? decoded((raw.get('RelayState') ?? '').replaceAll('+', ' ')) : undefined,
    signature: raw.has('Signature')
      ? {
          algorithm: values.get('SigAlg') ?? '',
          value: values.get('Signature') ?? '',
          input: [parameter, 'RelayState', 'SigAlg']
            .filter((name) => raw.has(name))
            .map((name) => `${name}=${raw.get(name)}`)
            .join('&'),
        }
      : undefined,
  }
}

/** Verifies that the key of one of the certificates signed the query. */
export function verifyRedirectSignature(
  { signature }: RedirectMessage,
  { certificates, allowSha1 = false }: SignatureRules,
): { certificate: string; algorithm: string } | RejectedSignature {
  if (!signature) return { violation: 'it is not signed' }
  const { algorithm: named } = signature
  const rejected = (violation: string): RejectedSignature => ({ violation, algorithm: named })
  const algorithm = signatureAlgorithm(named, allowSha1)
  if (!algorithm) return rejected(`the signature algorithm is not supported: ${named}`)
  const value = readBase64(signature.value)
  if (!value) return rejected('the signature is not base64')
  const certificate = trustedCertificates(certificates).find(({ publicKey }) =>
    isSignedBy(algorithm, publicKey, signature.input, value),
  )
  return certificate
    ? { certificate: certificate.fingerprint, algorithm: algorithm.name }
    : rejected('it is not signed with a trusted certificate')
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
