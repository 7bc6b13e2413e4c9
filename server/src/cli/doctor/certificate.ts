import { type Clock, DAY } from '../../platform/clock.js'
import { type Finding, ok, problem, warning } from './check.js'
import type { ServerCertificate } from './http-request.js'

const RENEWAL = 14 * DAY

/** @param host that of BASE_URL */
export function assessCertificate(certificate: ServerCertificate, host: string, clock: Clock): Finding {
  const { validFrom, validTo, names, error } = certificate
  const day = (date: Date) => date.toISOString().slice(0, 10)
  if (validTo.getTime() < clock.ms())
    return problem(`The certificate expired on ${day(validTo)}`, 'Renew the certificate of the proxy')
  if (validFrom.getTime() > clock.ms())
    return problem(
      `The certificate is not valid before ${day(validFrom)}`,
      'Correct the clock of this machine, or install the certificate that is valid now',
    )
  if (error) return describeError(error, host, names)
  if (validTo.getTime() - clock.ms() < RENEWAL)
    return warning(
      `The certificate expires on ${day(validTo)}, in less than 14 days`,
      'Renew it, and verify that its automatic renewal works',
    )
  return ok(`The certificate is valid for ${host} until ${day(validTo)}`)
}

/** @param error a code of OpenSSL or Node.js */
function describeError(error: string, host: string, names: string): Finding {
  if (error.includes('ALTNAME'))
    return problem(
      `The certificate is not valid for ${host}, only for ${names}`,
      `Install a certificate for ${host}, or correct BASE_URL`,
    )
  if (error.includes('SELF_SIGNED'))
    return problem(
      'The certificate is self-signed, or its root is not trusted',
      'Install a certificate of a trusted CA; for your own CA, set NODE_EXTRA_CA_CERTS to its certificate',
    )
  if (error === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' || error.startsWith('UNABLE_TO_GET_ISSUER'))
    return problem(
      'The issuer of the certificate is unknown: the proxy sends no intermediate certificate, or the CA is private',
      'Let the proxy send the whole chain; for your own CA, set NODE_EXTRA_CA_CERTS to its certificate',
    )
  if (error === 'CERT_HAS_EXPIRED')
    return problem('A certificate of the chain has expired', 'Install the current intermediate certificates')
  return problem(`The certificate was rejected (${error})`, 'Install a valid certificate of a trusted CA')
}
