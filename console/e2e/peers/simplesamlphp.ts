import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, readableFolder, startApache } from './apache'
import { fromGuide } from './guide'

const program = '/usr/share/simplesamlphp/www'
export const configOfDebian = '/etc/simplesamlphp/config.php'

interface Installation {
  /** The URL of its pages. */
  url: string
  stop(): Promise<void>
}

interface Setup {
  port: number
  tls: Certificate
  /** The guide whose first block of PHP is the end of the configuration. */
  guide: string
  /** The name of its key and certificate. */
  key: string
  /** Writes the files of this role. @param inFolder returns a path in the folder of the configuration */
  write(inFolder: (...path: string[]) => string): void
  /** Additional directives of the virtual host. @param folder of the configuration */
  site?(folder: string): string
}

/** Starts SimpleSAMLphp as the guide sets it up, on Debian's configuration, with its own folders. */
async function startInstallation({ port, tls, guide, key: name, write, site }: Setup): Promise<Installation> {
  const folder = readableFolder('simplesamlphp')
  const inFolder = (...path: string[]) => join(folder, ...path)
  for (const each of ['cert', 'metadata', 'tmp', 'data', 'log', 'sessions']) {
    mkdirSync(inFolder(each))
    // Written by the user of Apache's PHP processes.
    chmodSync(inFolder(each), 0o777)
  }
  const key = inFolder('cert', `${name}.key`)
  execFileSync(
    'openssl',
    // biome-ignore format: each option is beside its value
    ['req', '-x509', '-newkey', 'rsa:3072', '-nodes', '-days', '3650', '-subj', `/CN=${name}.example`,
      '-keyout', key, '-out', inFolder('cert', `${name}.crt`)],
    { stdio: 'ignore' },
  )
  chmodSync(key, 0o644)

  // Only the user of the installed SimpleSAMLphp can read its secrets.
  const debian = readFileSync(configOfDebian, 'utf8').replace(/^require_once\(.*secrets.*$/m, '')
  const own = `$config['secretsalt'] = 'of-this-test-alone';
$config['auth.adminpassword'] = 'of-this-test-alone';
$config['logging.handler'] = 'errorlog';
$config['metadatadir'] = '${inFolder('metadata')}/';
$config['tempdir'] = '${inFolder('tmp')}';
$config['datadir'] = '${inFolder('data')}/';
$config['loggingdir'] = '${inFolder('log')}/';
`
  const guided = fromGuide(guide, 'php', 0, { '/etc/simplesamlphp': folder })
  writeFileSync(inFolder('config.php'), `${debian}\n${own}\n${guided}`)
  write(inFolder)

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
</Directory>
${site?.(folder) ?? ''}`,
  })
  return {
    url: `https://127.0.0.1:${port}/simplesamlphp`,
    async stop() {
      await apache.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface IdentityProvider {
  /** also its entity ID */
  metadataUrl: string
  ssoUrl: string
  stop(): Promise<void>
}

/** SimpleSAMLphp as the identity provider of a team. @param metadata of the team's service provider */
export async function startIdentityProvider(
  port: number,
  tls: Certificate,
  metadata: string,
): Promise<IdentityProvider> {
  const guide = 'simplesamlphp.md'
  const { url, stop } = await startInstallation({
    port,
    tls,
    guide,
    key: 'idp',
    write: (inFolder) => {
      writeFileSync(inFolder('authsources.php'), fromGuide(guide, 'php', 1, {}))
      writeFileSync(inFolder('metadata', 'saml20-idp-hosted.php'), fromGuide(guide, 'php', 2, {}))
      writeFileSync(inFolder('metadata', 'keyward.xml'), metadata)
    },
  })
  return { metadataUrl: `${url}/saml2/idp/metadata.php`, ssoUrl: `${url}/saml2/idp/SSOService.php`, stop }
}

export interface ServiceProvider {
  metadataUrl: string
  stop(): Promise<void>
}

interface WantedServiceProvider {
  port: number
  tls: Certificate
  entityId: string
  /** The identity provider's. */
  idpEntityId: string
  metadata: string
}

/** A PHP site at `/` with SimpleSAMLphp as its service provider. */
export async function startServiceProvider(wanted: WantedServiceProvider): Promise<ServiceProvider> {
  const guide = 'simplesamlphp-service-provider.md'
  const { port, tls, entityId, idpEntityId, metadata } = wanted
  const { url, stop } = await startInstallation({
    port,
    tls,
    guide,
    key: 'sp',
    write: (inFolder) => {
      const values = {
        'https://wiki.example/saml': entityId,
        'https://login.example/api/v1/sso/saml-idp/APP_ID/metadata': idpEntityId,
      }
      writeFileSync(inFolder('authsources.php'), fromGuide(guide, 'php', 1, values))
      writeFileSync(inFolder('metadata', 'keyward.xml'), metadata)
      mkdirSync(inFolder('site'))
      writeFileSync(inFolder('site', 'index.php'), fromGuide(guide, 'php', 2, {}))
    },
    site: (folder) => `DocumentRoot ${folder}/site
<Directory ${folder}/site>
  Require all granted
  DirectoryIndex index.php
  <FilesMatch "\\.php$">
    SetHandler application/x-httpd-php
  </FilesMatch>
</Directory>`,
  })
  return { metadataUrl: `${url}/module.php/saml/sp/metadata.php/wiki`, stop }
}
