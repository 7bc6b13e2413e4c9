import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../harness/built-server.js'
import { BASE_DN, listening } from './slapd.js'

const NS_SLAPD = '/usr/sbin/ns-slapd'
const TEMPLATE = '/usr/share/dirsrv/data/template-dse.ldif'
const DEFAULTS = '/usr/share/dirsrv/inf/defaults.inf'
const MANAGER = 'cn=Directory Manager'
const MANAGER_PASSWORD = 'manager of the test directory'

/** Whether 389 Directory Server is installed. */
export const HAS_NS_SLAPD = existsSync(NS_SLAPD) && existsSync(TEMPLATE)

export interface NsSlapd {
  port: number
  /** Applies LDIF change records as the administrator. */
  modify(ldif: string): void
  close(): Promise<void>
}

/**
 * Starts 389 Directory Server with its own folder and port, and with the configuration of a new instance. The administration tool of the
 * package fills the same template, but requires systemd to start the instance.
 * @param ldif all entries, the first one the base
 */
export async function startNsSlapd(ldif: string): Promise<NsSlapd> {
  const folder = mkdtempSync(join(tmpdir(), 'keyward-389-ds-'))
  const folderOf = (name: string): string => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const config = folderOf('config')
  cpSync('/etc/dirsrv/schema', join(config, 'schema'), { recursive: true })
  cpSync('/etc/dirsrv/config/slapd-collations.conf', join(config, 'slapd-collations.conf'))
  const port = await freePort()
  const values: Record<string, string> = {
    ...Object.fromEntries(
      ['lock', 'tmp', 'ldif', 'bak', 'run', 'inst', 'log', 'db'].map((of) => [`${of}_dir`, folderOf(of)]),
    ),
    db_home_dir: folderOf('db-home'),
    db_lib: /^db_lib = (\w+)/m.exec(readFileSync(DEFAULTS, 'utf8'))?.[1] ?? 'bdb',
    schema_dir: '/usr/share/dirsrv/schema',
    cert_dir: config,
    config_dir: config,
    fqdn: 'localhost',
    ds_port: String(port),
    ds_user: process.env.USER ?? 'root',
    ds_suffix: BASE_DN,
    rootdn: MANAGER,
    ds_passwd: run('/usr/bin/pwdhash', ['-s', 'SSHA512', MANAGER_PASSWORD]).trim(),
    ldapi: join(folder, 'ldapi'),
    ldapi_enabled: 'off',
    ldapi_autobind: 'off',
  }
  const filled = readFileSync(TEMPLATE, 'utf8').replaceAll(/%(\w+)%/g, (_, name: string) => values[name] ?? '')
  writeFileSync(join(config, 'dse.ldif'), `${filled.trimEnd()}\n\n${backend(folderOf('db/userRoot'))}`)
  writeFileSync(join(folder, 'first.ldif'), ldif)
  run(NS_SLAPD, ['ldif2db', '-D', config, '-n', 'userRoot', '-i', join(folder, 'first.ldif')])

  const child: ChildProcess = spawn(NS_SLAPD, ['-D', config, '-d', '0'], { stdio: 'ignore' })
  await listening(port)
  return {
    port,
    modify(change) {
      run('ldapmodify', ['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', MANAGER, '-w', MANAGER_PASSWORD], change)
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(program: string, args: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
  return stdout
}

/** The database of the base and its place in the tree. */
const backend = (folder: string): string => `dn: cn=userRoot,cn=ldbm database,cn=plugins,cn=config
objectClass: top
objectClass: extensibleObject
objectClass: nsBackendInstance
cn: userRoot
nsslapd-suffix: ${BASE_DN}
nsslapd-directory: ${folder}

dn: cn="${BASE_DN}",cn=mapping tree,cn=config
objectClass: top
objectClass: extensibleObject
objectClass: nsMappingTree
cn: "${BASE_DN}"
nsslapd-state: backend
nsslapd-backend: userRoot
`
