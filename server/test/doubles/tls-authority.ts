import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TlsAuthority {
  /** PEM. */
  certificate: string
  /** Issues a certificate for a name. A negative `days` makes an expired one. */
  issue(name: string, days?: number): { certificate: string; key: string }
  close(): void
}

/** Creates a certificate authority with openssl. */
export function createTlsAuthority(): TlsAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'keyward-ca-'))
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder })
    if (status !== 0) throw new Error(String(stderr))
  }
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test authority', '-days', '2')
  return {
    certificate: read('ca.pem'),
    issue(name, days = 1) {
      writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${name}`)
      openssl('req', '-new', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${name}`)
      const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-out', 'server.pem']
      openssl('x509', '-req', '-in', 'server.csr', ...signed, '-days', String(days))
      return { certificate: read('server.pem'), key: read('server.key') }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
