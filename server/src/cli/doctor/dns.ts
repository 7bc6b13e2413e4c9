import { isIP } from 'node:net'
import { isLoopbackHost } from '../../platform/config/config.js'
import { createTxtRecords } from '../../platform/dns.js'
import { createResolveHost } from '../../platform/http/resolve-host.js'
import { NO_TEAM } from '../../platform/ids.js'
import { type Context, causeOf, type Finding, ok, type Part, problem, skipped, warning } from './check.js'

const hostOf = ({ config }: Context): string => new URL(config.baseUrl).hostname.replace(/^\[|\]$/g, '')

const hasNoRecords = (host: string): boolean => isIP(host) !== 0 || isLoopbackHost(host)

export const hostPart: Part = {
  area: 'DNS',
  name: 'host of BASE_URL',
  needs: ['BASE_URL', 'PORT', 'DNS_SERVERS'],
  async run(context, signal) {
    const { dnsServers } = context.config
    const host = hostOf(context)
    if (hasNoRecords(host)) return [skipped(`${host} is a loopback name or an IP address`)]
    const resolve = createResolveHost({ servers: dnsServers, bySystem: dnsServers === undefined })
    try {
      const addresses = await resolve(host, { team: NO_TEAM, signal })
      return [ok(`${host} resolves to ${addresses.map(({ address }) => address).join(', ')}`)]
    } catch (error) {
      return [
        problem(
          `${host} does not resolve (${causeOf(error)})`,
          `Add an A or AAAA record for ${host}, or correct BASE_URL or DNS_SERVERS`,
        ),
      ]
    }
  },
}

export const senderPart: Part = {
  area: 'DNS',
  name: 'sender of mails',
  needs: ['BASE_URL', 'PORT', 'DNS_SERVERS', 'SMTP_URL', 'MAIL_FROM'],
  async run(context) {
    const { smtpUrl, mailFrom, dnsServers } = context.config
    if (!smtpUrl) return [skipped('No mails are sent: SMTP_URL is not set')]
    const domain = mailFrom ? (/@([^@>]+)>?$/.exec(mailFrom)?.[1] ?? '') : hostOf(context)
    if (hasNoRecords(domain)) return [skipped(`${domain} is a loopback name or an IP address`)]
    return [await inspectSender(domain, dnsServers)]
  },
}

async function inspectSender(domain: string, servers: string[] | undefined): Promise<Finding> {
  const records = createTxtRecords(servers)
  const has = async (name: string, version: string) =>
    (await records.of(name)).some((record) => record.toLowerCase().startsWith(version))
  // The DMARC record of a subdomain is by default that of its organizational domain (RFC 7489 6.6.3).
  const parent = domain.split('.').slice(-2).join('.')
  try {
    const [spf, dmarc, dmarcOfParent] = await Promise.all([
      has(domain, 'v=spf1'),
      has(`_dmarc.${domain}`, 'v=dmarc1'),
      has(`_dmarc.${parent}`, 'v=dmarc1'),
    ])
    const found = [spf && 'SPF', (dmarc || dmarcOfParent) && 'DMARC'].filter(Boolean)
    if (found.length > 0) return ok(`${domain} has ${found.join(' and ')}`)
  } catch (error) {
    return warning(
      `The records of ${domain} could not be read (${causeOf(error)})`,
      'Verify that the DNS servers respond; DNS_SERVERS selects others',
    )
  }
  return warning(
    `${domain}, the domain of the sender, has neither an SPF nor a DMARC record: receivers can reject mails as spam`,
    `Add an SPF record for ${domain} that includes the mail server, and a DMARC record`,
  )
}
