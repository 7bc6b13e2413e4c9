import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTlsAuthority } from '../doubles/tls-authority.js'
import { listening } from './slapd.js'

const REALM = 'AD.EXAMPLE.TEST'

export const SAMBA_BASE_DN = 'DC=ad,DC=example,DC=test'
export const SAMBA_ADMIN_DN = `CN=Administrator,CN=Users,${SAMBA_BASE_DN}`
export const SAMBA_ADMIN_PASSWORD = 'Passw0rd of the administrator'

/**
 * Whether Samba can run as a domain controller here. Its LDAP server listens only on port 389, so it needs root, and no other server there.
 */
export const HAS_SAMBA =
  process.getuid?.() === 0 &&
  existsSync('/usr/sbin/samba') &&
  existsSync('/usr/share/samba/setup') &&
  readdirSync('/usr/lib').some((name) => existsSync(`/usr/lib/${name}/samba/vfs/acl_xattr.so`)) &&
  spawnSync('samba-tool', ['--version']).error === undefined

export interface Samba {
  /** PEM. */
  caCertificate: string
  /** Runs `samba-tool` on the domain, as in `tool('user', 'create', …)`. */
  tool(...args: string[]): void
  close(): Promise<void>
}

/** Provisions a domain, which takes about 15 seconds, and starts the LDAP server of its domain controller at ldaps://localhost. */
export async function startSamba(): Promise<Samba> {
  const folder = mkdtempSync(join(tmpdir(), 'keyward-samba-'))
  const at = (name: string): string => join(folder, name)
  const config = at('etc/smb.conf')
  const authority = createTlsAuthority()
  const { certificate, key } = authority.issue('localhost')
  writeFileSync(at('cert.pem'), certificate)
  writeFileSync(at('key.pem'), key, { mode: 0o600 })
  writeFileSync(at('ca.pem'), authority.certificate)
  authority.close()
  run('samba-tool', [
    ...['domain', 'provision', `--realm=${REALM}`, '--domain=AD', '--server-role=dc', '--dns-backend=NONE'],
    ...[`--adminpass=${SAMBA_ADMIN_PASSWORD}`, `--targetdir=${folder}`, '--use-rfc2307'],
    ...['--option=interfaces=lo', '--option=bind interfaces only=yes'],
  ])
  mkdirSync(at('run'), { recursive: true })
  const options = {
    'server services': 'ldap',
    'pid directory': at('run'),
    'ncalrpc dir': at('run/ncalrpc'),
    'log file': at('log'),
    'tls keyfile': at('key.pem'),
    'tls certfile': at('cert.pem'),
    'tls cafile': at('ca.pem'),
  }
  const child: ChildProcess = spawn(
    '/usr/sbin/samba',
    [
      '-i',
      '-M',
      'single',
      '-s',
      config,
      ...Object.entries(options).map(([name, value]) => `--option=${name}=${value}`),
    ],
    { stdio: 'ignore' },
  )
  await listening(636)
  return {
    caCertificate: authority.certificate,
    tool: (...args) => run('samba-tool', [...args, '-s', config]),
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(program: string, args: string[]): void {
  const { status, stderr, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stdout} ${stderr}`)
}
