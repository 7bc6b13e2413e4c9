import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const apache = '/usr/sbin/apache2'
const modules = '/usr/lib/apache2/modules'

export const moduleFile = (name: string) => join(modules, name === 'php' ? phpModule() : `mod_${name}.so`)
const phpModule = () =>
  ['8.4', '8.3', '8.2'].map((version) => `libphp${version}.so`).find((file) => existsSync(join(modules, file))) ??
  'libphp.so'

/** The name of a module in its file. */
const symbolOf = (name: string) => (name === 'shib' ? 'mod_shib' : `${name}_module`)

/** The modules that every site needs: TLS, and the proxy to the protected program. */
const always = ['authn_core', 'authz_core', 'authz_user', 'ssl', 'proxy', 'proxy_http', 'headers', 'alias']

export interface Certificate {
  key: string
  certificate: string
}

/** Creates a key and a self-signed certificate for `localhost` and 127.0.0.1, which are two sites for a browser. */
export function makeCertificate(folder: string): Certificate {
  const files = { key: join(folder, 'tls.key'), certificate: join(folder, 'tls.crt') }
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  execFileSync(
    'openssl',
    // biome-ignore format: each option is beside its value
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', names,
      '-keyout', files.key, '-out', files.certificate],
    { stdio: 'ignore' },
  )
  chmodSync(files.key, 0o644)
  return files
}

interface Site {
  /** its port on the loopback interface, with TLS */
  port: number
  tls: Certificate
  /** modules in addition to those of every site */
  modules?: string[]
  /** the directives of its virtual host */
  config: string
  /** the multi-processing module; mod_php requires `prefork` */
  mpm?: 'event' | 'prefork'
}

export interface Apache {
  /** returns its error log */
  log(): string
  stop(): Promise<void>
}

/** Creates a folder that Apache's child processes can read as any user. */
export function readableFolder(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `keyward-${name}-`))
  chmodSync(folder, 0o755)
  return folder
}

/** Starts an Apache with its own configuration, port and files, in a folder that is removed with it. */
export async function startApache({ port, tls, modules: more = [], config, mpm = 'event' }: Site): Promise<Apache> {
  const folder = readableFolder('apache')
  const file = join(folder, 'apache.conf')
  const loaded = [`mpm_${mpm}`, ...always, ...more].map((name) => `LoadModule ${symbolOf(name)} ${moduleFile(name)}`)
  writeFileSync(
    file,
    `ServerRoot ${folder}
ServerName localhost
${loaded.join('\n')}
DefaultRuntimeDir ${folder}
PidFile ${folder}/pid
Mutex file:${folder} default
User www-data
Group www-data
ErrorLog ${folder}/error.log
LogLevel warn
KeepAliveTimeout 60
<IfModule mime_module>
  TypesConfig /etc/mime.types
</IfModule>
Listen 127.0.0.1:${port} https
<VirtualHost *:${port}>
SSLEngine on
SSLCertificateFile ${tls.certificate}
SSLCertificateKeyFile ${tls.key}
${config}
</VirtualHost>
`,
  )
  const log = () => (existsSync(join(folder, 'error.log')) ? readFileSync(join(folder, 'error.log'), 'utf8') : '')
  let output = ''
  // At its end it kills its process group, so the tests must not be in the same group.
  const child = spawn(apache, ['-f', file, '-D', 'FOREGROUND'], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))

  async function stop() {
    child.kill()
    await ended
    if (process.env.E2E_LOG) process.stdout.write(log())
    rmSync(folder, { recursive: true, force: true })
  }

  for (const end = Date.now() + 30_000; !(await answers(port)); ) {
    if (child.exitCode !== null || Date.now() > end) {
      const said = output + log()
      await stop()
      throw new Error(`Apache does not start (exit code ${child.exitCode}):\n${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { log, stop }
}

function answers(port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
