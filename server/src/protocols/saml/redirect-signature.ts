import { type ReadMessage, readBase64, readDeflated } from './read-message.js'
import { isSignedBy, signatureAlgorithm } from './signature-algorithms.js'
import { trustedCertificates } from './trusted-certificates.js'
import type { SignatureRules } from './verify-signature.js'

/** A message of the redirect binding, as its query carries it. */
export interface RedirectMessage {
  parameter: 'SAMLRequest' | 'SAMLResponse'
  message: ReadMessage
  relayState: string | undefined
  signature: { algorithm: string; value: string; input: string } | undefined
}

const ENCODING = 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE'
const NAMES = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature', 'SAMLEncoding']

/**
 * Reads the query exactly as it was sent (Bindings 3.4.4.1): the signature is over the spelling. Names that are spelled in another way
 * and names that come twice are refused, because somebody else would read another message in them. Other parameters are passed over.
 */
export function readRedirect(rawQuery: string): RedirectMessage | { fault: string } {
  const raw = new Map<string, string>()
  for (const pair of rawQuery.replace(/^\?/, '').split('&')) {
    const split = pair.indexOf('=')
    const spelled = split === -1 ? pair : pair.slice(0, split)
    const name = decoded(spelled)
    if (name === undefined) return { fault: 'the query is not percent-encoded rightly' }
    if (!NAMES.includes(name)) continue
    if (name !== spelled) return { fault: `the parameter ${name} is not spelled as it is` }
    if (raw.has(name)) return { fault: `the parameter ${name} comes twice` }
    raw.set(name, split === -1 ? '' : pair.slice(split + 1))
  }
  const parameter = raw.has('SAMLRequest') ? 'SAMLRequest' : 'SAMLResponse'
  const spelled = raw.get(parameter)
  if (spelled === undefined) return { fault: 'there is neither SAMLRequest nor SAMLResponse' }
  if (parameter === 'SAMLRequest' && raw.has('SAMLResponse')) return { fault: 'there is both a request and a response' }
  const values = new Map([...raw].map(([name, value]) => [name, decoded(value)]))
  if ([...values.values()].includes(undefined)) return { fault: 'the query is not percent-encoded rightly' }
  if (raw.has('SAMLEncoding') && values.get('SAMLEncoding') !== ENCODING)
    return { fault: 'the encoding is not DEFLATE' }
  if (raw.has('SigAlg') !== raw.has('Signature'))
    return { fault: 'there is a signature or an algorithm without the other' }
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

/** Whether one of the certificates' keys signed the query. */
export function verifyRedirectSignature(
  { signature }: RedirectMessage,
  { certificates, allowSha1 = false }: SignatureRules,
): { certificate: string; algorithm: string } | { fault: string } {
  if (!signature) return { fault: 'it is not signed' }
  const algorithm = signatureAlgorithm(signature.algorithm, allowSha1)
  if (!algorithm) return { fault: `the signature algorithm is not taken: ${signature.algorithm}` }
  const value = readBase64(signature.value)
  if (!value) return { fault: 'the signature is not base64' }
  const certificate = trustedCertificates(certificates).find(({ publicKey }) =>
    isSignedBy(algorithm, publicKey, signature.input, value),
  )
  return certificate
    ? { certificate: certificate.fingerprint, algorithm: algorithm.name }
    : { fault: 'it is not signed by a certificate that is trusted here' }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
