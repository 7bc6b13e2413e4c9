import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Certificate, readableFolder, startApache } from './apache'

const shibd = '/usr/sbin/shibd'
const keygen = '/usr/sbin/shib-keygen'
const configOfDebian = '/etc/shibboleth'
const apacheConfigOfDebian = '/etc/apache2/conf-available/shib.conf'

/** Files without which these tests cannot run. */
export const shibbolethFiles = [shibd, keygen, `${configOfDebian}/shibboleth2.xml`, apacheConfigOfDebian]

export interface Shibboleth {
  /** PEM: its requests are signed with this key. */
  signingCertificate: string
  /** Starts the daemon and the site. @param metadata the identity provider's */
  start(metadata: string): Promise<void>
  /** Returns the metadata that it generates. */
  metadata(): Promise<string>
  stop(): Promise<void>
}

interface Site {
  port: number
  tls: Certificate
  entityId: string
  idpEntityId: string
  /** The protected program. */
  behind: string
  /** The binding of its LogoutRequests. */
  logoutBinding: string
}

/** A site behind Apache with mod_shib, on the configuration of Debian, with a folder of its own. */
export function newShibboleth({ port, tls, entityId, idpEntityId, behind, logoutBinding }: Site): Shibboleth {
  const folder = readableFolder('shibboleth')
  const inFolder = (name: string) => join(folder, name)
  const { username, gid } = userInfo()
  for (const name of ['sp-signing', 'sp-encrypt'])
    execFileSync(
      keygen,
      // biome-ignore format: each option is beside its value
      ['-o', folder, '-n', name, '-h', '127.0.0.1', '-e', entityId, '-u', username, '-g', String(gid)],
      { stdio: 'ignore' },
    )
  const replaced = (text: string, pairs: [string, string][]) =>
    pairs.reduce((all, [from, to]) => {
      if (!all.includes(from)) throw new Error(`The configuration of Debian has no ${from}`)
      return all.replaceAll(from, to)
    }, text)
  const ofDebian = (name: string) => readFileSync(join(configOfDebian, name), 'utf8')
  const paths = ['attribute-map.xml', 'attribute-policy.xml', 'security-policy.xml', 'protocols.xml'].map(
    (name): [string, string] => [`path="${name}"`, `path="${join(configOfDebian, name)}"`],
  )
  writeFileSync(
    inFolder('shibboleth2.xml'),
    replaced(ofDebian('shibboleth2.xml'), [
      ['https://sp.example.org/shibboleth', entityId],
      ['https://idp.example.org/idp/shibboleth', idpEntityId],
      ['<Logout>', `<Logout outgoingBindings="${logoutBinding}">`],
      // Files of this test only.
      ['<OutOfProcess ', `<OutOfProcess logger="${inFolder('shibd.logger')}" `],
      ['<ApplicationDefaults ', `<UnixListener address="${inFolder('shibd.sock')}"/>\n<ApplicationDefaults `],
      [
        '<!-- Example of locally maintained metadata. -->',
        `<MetadataProvider type="XML" validate="true" path="${inFolder('keyward.xml')}"/>`,
      ],
      ...['sp-signing', 'sp-encrypt'].flatMap((name): [string, string][] => [
        [`"${name}-key.pem"`, `"${inFolder(`${name}-key.pem`)}"`],
        [`"${name}-cert.pem"`, `"${inFolder(`${name}-cert.pem`)}"`],
      ]),
      ...paths,
    ]),
  )
  writeFileSync(inFolder('shibd.logger'), ofDebian('shibd.logger').replaceAll('/var/log/shibboleth', folder))
  const stops: (() => Promise<void>)[] = []

  async function startDaemon() {
    const options = ['-F', '-f', '-c', inFolder('shibboleth2.xml'), '-p', inFolder('shibd.pid')]
    let output = ''
    const child = spawn(shibd, options, { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    stops.unshift(async () => {
      child.kill()
      await ended
    })
    for (const end = Date.now() + 30_000; !existsSync(inFolder('shibd.sock')); ) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`shibd does not start:\n${output}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    chmodSync(inFolder('shibd.sock'), 0o777)
  }

  return {
    signingCertificate: readFileSync(inFolder('sp-signing-cert.pem'), 'utf8'),
    async start(metadata) {
      writeFileSync(inFolder('keyward.xml'), metadata)
      await startDaemon()
      const apache = await startApache({
        port,
        tls,
        modules: ['shib'],
        config: `ShibConfig ${inFolder('shibboleth2.xml')}
<Location />
  AuthType shibboleth
  ShibRequestSetting requireSession 1
  Require shib-session
  RequestHeader set X-Remote-User "expr=%{REMOTE_USER}"
  ProxyPass ${behind}/
</Location>
Include ${apacheConfigOfDebian}
<Location /Shibboleth.sso>
  ProxyPass !
</Location>
<Location /shibboleth-sp>
  ProxyPass !
</Location>`,
      })
      stops.unshift(() => apache.stop())
    },
    async metadata() {
      const answer = await fetch(`https://127.0.0.1:${port}/Shibboleth.sso/Metadata`)
      if (!answer.ok) throw new Error(`mod_shib has no metadata: ${answer.status} ${await answer.text()}`)
      return answer.text()
    },
    async stop() {
      for (const stop of stops) await stop()
      if (process.env.E2E_LOG && existsSync(inFolder('shibd.log')))
        process.stdout.write(readFileSync(inFolder('shibd.log'), 'utf8'))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
