import { OutboundError, type TeamOutbound } from '../../platform/http/outbound.js'
import { ProviderFault } from './provider-fault.js'

/**
 * The text at an address of metadata, and what the clock of its server says. What the text is is not looked at here, and it is shown to
 * nobody: it may be anybody's.
 * @throws ProviderFault
 */
export async function fetchMetadata(
  outbound: Pick<TeamOutbound, 'send'>,
  url: string,
): Promise<{ xml: string; date: string | undefined }> {
  const accept = 'application/samlmetadata+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1'
  const { status, headers, body } = await outbound
    .send(url, { method: 'GET', headers: { accept } })
    .catch((error: unknown) => {
      if (error instanceof OutboundError || error instanceof TypeError)
        throw new ProviderFault('metadata', `It cannot be read: ${error.message}`)
      throw error
    })
  if (status >= 300 && status < 400)
    throw new ProviderFault('metadata', 'It redirects, which is not followed: give the address that it leads to', {
      found: status,
    })
  if (status !== 200)
    throw new ProviderFault('metadata', `It answered with the status ${status}`, { expected: '200', found: status })
  return { xml: body, date: [headers.date].flat()[0] }
}
