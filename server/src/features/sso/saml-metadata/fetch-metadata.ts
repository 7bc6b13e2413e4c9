import { OutboundError, type TeamOutbound } from '../../../platform/http/outbound.js'
import { ProviderError } from '../model/provider-error.js'

/**
 * Fetches the document at a metadata URL, with the `Date` header of its server. The document is not parsed here, and never shown: a third
 * party may have written it.
 * @throws ProviderError
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
        throw new ProviderError('metadata', `The metadata cannot be read: ${error.message}`)
      throw error
    })
  if (status >= 300 && status < 400)
    throw new ProviderError('metadata', 'The URL redirects; redirects are not followed. Enter the final URL', {
      found: status,
    })
  if (status !== 200)
    throw new ProviderError('metadata', `The server responded with status ${status}`, {
      expected: '200',
      found: status,
    })
  return { xml: body, date: [headers.date].flat()[0] }
}
