import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../harness/built-server.js'

const SLAPD = '/usr/sbin/slapd'
const SLAPADD = '/usr/sbin/slapadd'

/** Whether the OpenLDAP server is installed; otherwise its tests are skipped with a message. */
export const HAS_SLAPD =
  spawnSync(SLAPD, ['-VV']).error === undefined && spawnSync('ldapmodify', ['-VV']).error === undefined

export const BASE_DN = 'dc=example,dc=com'
export const BIND_DN = 'cn=reader,dc=example,dc=com'
export const BIND_PASSWORD = 'the reader reads, "nothing" else'
const ROOT_DN = 'cn=root,dc=example,dc=com'
const ROOT_PASSWORD = 'root of the test directory'

export interface Slapd {
  port: number
  /** 0 without a certificate. */
  tlsPort: number
  /** Applies LDIF change records as the administrator. */
  modify(ldif: string): void
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export interface SlapdOptions {
  /** Entries below the base, as LDIF. */
  ldif?: string
  /** The size limit of a search or page for all but the administrator. */
  sizeLimit?: string
  /** The PEM files of a certificate, to enable TLS. */
  tls?: { certificate: string; key: string }
  /** Additional lines of the database configuration. */
  config?: string
}

/** Starts an OpenLDAP server with its own folder and ports. */
export async function startSlapd(options: SlapdOptions = {}): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'keyward-slapd-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const { tls } = options
  const config = file(
    'slapd.conf',
    `include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${folder}/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
${tls ? `TLSCertificateFile ${file('certificate.pem', tls.certificate)}\nTLSCertificateKeyFile ${file('key.pem', tls.key)}` : ''}
database mdb
suffix "${BASE_DN}"
rootdn "${ROOT_DN}"
rootpw "${ROOT_PASSWORD}"
directory ${data}
maxsize 268435456
dbnosync
limits dn.exact="${BIND_DN}" ${options.sizeLimit ?? 'size.soft=unlimited size.hard=unlimited size.prtotal=unlimited'}
index objectClass,entryUUID,uid,cn eq
${options.config ?? ''}
access to attrs=userPassword by anonymous auth by * none
access to * by * read
`,
  )
  const first = `dn: ${BASE_DN}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ${BIND_DN}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: reader
userPassword: ${BIND_PASSWORD}

dn: ou=people,${BASE_DN}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${BASE_DN}
objectClass: organizationalUnit
ou: groups

`
  const added = spawnSync(SLAPADD, ['-q', '-f', config, '-l', file('first.ldif', first + (options.ldif ?? ''))])
  if (added.status !== 0) throw new Error(String(added.stderr))

  const port = await freePort()
  const tlsPort = tls ? await freePort() : 0
  let child: ChildProcess | undefined
  const server: Slapd = {
    port,
    tlsPort,
    modify(ldif) {
      const args = ['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', ROOT_DN, '-w', ROOT_PASSWORD]
      const { status, stderr } = spawnSync('ldapmodify', args, { input: ldif })
      if (status !== 0) throw new Error(String(stderr))
    },
    async start() {
      const urls = [`ldap://127.0.0.1:${port}`, ...(tls ? [`ldaps://127.0.0.1:${tlsPort}`] : [])].join(' ')
      child = spawn(SLAPD, ['-f', config, '-h', urls, '-d', '0'], { stdio: 'ignore' })
      await listening(port)
    },
    async stop() {
      if (!child || child.exitCode !== null) return
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
    async close() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/** Returns a user below `ou=people` as LDIF. */
export const person = (uid: string, fields: Record<string, string> = {}): string =>
  entry(`uid=${uid},ou=people,${BASE_DN}`, 'inetOrgPerson', {
    uid,
    cn: uid,
    sn: `Of ${uid}`,
    givenName: `G${uid}`,
    mail: `${uid}@example.com`,
    userPassword: `password of ${uid}`,
    ...fields,
  })

/** Returns a user with an invalid email address: it is read like all others but creates no account. */
export const personWithInvalidEmail = (uid: string): string => person(uid, { mail: `${uid} example.com` })

/** Returns a group below `ou=groups` with member DNs, as LDIF. */
export const group = (cn: string, members: string[], objectClass = 'groupOfNames'): string =>
  `dn: cn=${cn},ou=groups,${BASE_DN}\nobjectClass: ${objectClass}\ncn: ${cn}\n${members.map((dn) => `member: ${dn}\n`).join('')}\n`

export const personDn = (uid: string): string => `uid=${uid},ou=people,${BASE_DN}`
export const groupDn = (cn: string): string => `cn=${cn},ou=groups,${BASE_DN}`

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Returns an entry as LDIF (RFC 2849) with arbitrary values. */
export const entry = (dn: string, objectClass: string, fields: Record<string, string | string[]>): string =>
  `dn:: ${base64(dn)}\nobjectClass: ${objectClass}\n${Object.entries(fields)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}:: ${base64(value)}\n`))
    .join('')}\n`

export async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    await new Promise((resume) => setTimeout(resume, 25))
  }
  throw new Error('the directory does not listen')
}
