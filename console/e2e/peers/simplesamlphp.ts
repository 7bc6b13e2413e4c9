import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, readableFolder, startApache } from './apache'
import { fromGuide } from './guide'

const program = '/usr/share/simplesamlphp/www'
export const configOfDebian = '/etc/simplesamlphp/config.php'

export interface Simplesamlphp {
  /** its entity id, too */
  metadataUrl: string
  ssoUrl: string
  stop(): Promise<void>
}

/**
 * SimpleSAMLphp as our guide sets it up, on Debian's configuration, with folders of its own.
 * @param metadata what describes the team that trusts it
 */
export async function startSimplesamlphp(port: number, tls: Certificate, metadata: string): Promise<Simplesamlphp> {
  const folder = readableFolder('simplesamlphp')
  const inFolder = (...path: string[]) => join(folder, ...path)
  for (const name of ['cert', 'metadata', 'tmp', 'data', 'log', 'sessions']) {
    mkdirSync(inFolder(name))
    // Written by whomever Apache runs PHP as.
    chmodSync(inFolder(name), 0o777)
  }
  const key = inFolder('cert', 'idp.key')
  execFileSync(
    'openssl',
    // biome-ignore format: an option and its value stand together
    ['req', '-x509', '-newkey', 'rsa:3072', '-nodes', '-days', '3650', '-subj', '/CN=idp.example',
      '-keyout', key, '-out', inFolder('cert', 'idp.crt')],
    { stdio: 'ignore' },
  )
  chmodSync(key, 0o644)

  const example = 'simplesamlphp.md'
  // The secrets of the machine's own are read by its own alone.
  const debian = readFileSync(configOfDebian, 'utf8').replace(/^require_once\(.*secrets.*$/m, '')
  const own = `$config['secretsalt'] = 'of-this-test-alone';
$config['auth.adminpassword'] = 'of-this-test-alone';
$config['logging.handler'] = 'errorlog';
$config['metadatadir'] = '${inFolder('metadata')}/';
$config['tempdir'] = '${inFolder('tmp')}';
$config['datadir'] = '${inFolder('data')}/';
$config['loggingdir'] = '${inFolder('log')}/';
`
  const guided = fromGuide(example, 'php', 0, { '/etc/simplesamlphp': folder })
  writeFileSync(inFolder('config.php'), `${debian}\n${own}\n${guided}`)
  writeFileSync(inFolder('authsources.php'), fromGuide(example, 'php', 1, {}))
  writeFileSync(inFolder('metadata', 'saml20-idp-hosted.php'), fromGuide(example, 'php', 2, {}))
  writeFileSync(inFolder('metadata', 'keyward.xml'), metadata)

  const apache = await startApache({
    port,
    tls,
    mpm: 'prefork',
    modules: ['php', 'mime', 'dir', 'env'],
    config: `SetEnv SIMPLESAMLPHP_CONFIG_DIR ${folder}
php_admin_value session.save_path ${inFolder('sessions')}
Alias /simplesamlphp ${program}
<Directory ${program}>
  Require all granted
  <FilesMatch "\\.php$">
    SetHandler application/x-httpd-php
  </FilesMatch>
</Directory>`,
  })
  const base = `https://127.0.0.1:${port}/simplesamlphp/saml2/idp`
  return {
    metadataUrl: `${base}/metadata.php`,
    ssoUrl: `${base}/SSOService.php`,
    async stop() {
      await apache.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
